package dev.agentreplay.junit;

import dev.agentreplay.io.session.SessionLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.AnnotationConsumer;

/** Provides the recordings that {@link ReplaySessionSource} selects. */
final class ReplaySessionProvider
    implements ArgumentsProvider, AnnotationConsumer<ReplaySessionSource> {

  private String[] globs = {};

  @Override
  public void accept(ReplaySessionSource source) {
    globs = source.value();
  }

  @Override
  public Stream<? extends Arguments> provideArguments(ExtensionContext context) {
    // evaluated lazily: since JUnit 5.13 an exception thrown here is reported as a different error
    return Stream.of(context).flatMap(this::arguments);
  }

  private Stream<Arguments> arguments(ExtensionContext context) {
    try {
      return recordings(context).stream();
    } catch (IOException e) {
      throw new ExtensionConfigurationException(String.valueOf(e.getMessage()), e);
    }
  }

  private List<Arguments> recordings(ExtensionContext context) throws IOException {
    RecordingsFolder folder = ReplayExtension.folder(context);
    TreeMap<Path, SessionLocation> places = new TreeMap<>();
    for (String glob : globs) {
      folder.matching(glob).forEach(place -> places.put(place.path(), place));
    }
    List<Arguments> arguments = new ArrayList<>();
    for (SessionLocation place : places.values()) {
      UnusedRecordings.use(place.path());
      String name = folder.path().relativize(place.path()).toString().replace('\\', '/');
      arguments.add(Arguments.of(Named.of(name, place.open().session())));
    }
    return arguments;
  }
}
