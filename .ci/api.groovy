// What japicmp found, before it fails the build: without what does not break users, and with what to do.
// It names no classes: this Groovy cannot read those of a JDK that is newer than itself.

// No other code implements a sealed interface; japicmp does not know of them.
jApiClasses.findAll { type ->
  type.newClass.isPresent() && type.newClass.get().classFile2.getAttribute('PermittedSubclasses')
}*.methods*.each { method ->
  method.compatibilityChanges.removeIf { it.type.name() == 'METHOD_ADDED_TO_INTERFACE' }
}

if (jApiClasses.any { !it.binaryCompatible || !it.sourceCompatible }) {
  println '''\
    |
    |The API is no longer compatible with the last release: japicmp lists what breaks below.
    |If that is not meant, keep the old declaration next to the new one.
    |If it is meant, and VERSIONING.md allows it: build with -Djapicmp.skip, and name the break in
    |CHANGELOG.md.
    |'''.stripMargin()
}

jApiClasses
