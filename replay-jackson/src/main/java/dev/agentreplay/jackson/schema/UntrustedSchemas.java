package dev.agentreplay.jackson.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.AbstractKeyword;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaException;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.JsonValidator;
import com.networknt.schema.Keyword;
import com.networknt.schema.RefValidator;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationContext;
import com.networknt.schema.ValidationMessage;
import com.networknt.schema.Vocabularies;
import com.networknt.schema.Vocabulary;
import dev.agentreplay.model.text.Excerpt;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates factories of schemas that are not trusted: nothing is loaded, and steps are counted. */
final class UntrustedSchemas {

  /** The keywords that replace those of the same name. */
  private static final List<AbstractKeyword> REPLACED =
      List.of(new Reference(), new Unsupported("$dynamicRef"), new Unsupported("$recursiveRef"));

  private UntrustedSchemas() {}

  /** Creates a factory for one schema: the ids of others are not known to it. */
  static JsonSchemaFactory factory(VersionFlag version, SchemaValidatorsConfig config) {
    JsonMetaSchema draft =
        JsonSchemaFactory.getInstance(version).getMetaSchema(version.getId(), config);
    JsonMetaSchema counting = JsonMetaSchema.builder(draft)
        .keyword(REPLACED.get(0)) // of the drafts without vocabularies
        .vocabularyFactory(UntrustedSchemas::vocabulary)
        .build();
    return JsonSchemaFactory.builder()
        .defaultMetaSchemaIri(counting.getIri())
        .metaSchema(counting)
        .metaSchemaFactory((iri, factory, ignored) -> {
          throw new JsonSchemaException(
              "it has a part with a different $schema: " + Excerpt.of(iri));
        })
        .schemaLoaders(loaders -> loaders.values(all -> {
          all.clear();
          all.add(iri -> {
            throw new JsonSchemaException(
                "it refers to a schema that is not in it: " + Excerpt.of(String.valueOf(iri)));
          });
        }))
        .build();
  }

  private static @Nullable Vocabulary vocabulary(String iri) {
    Vocabulary known = Vocabularies.getVocabulary(iri);
    return known == null
        ? null
        : new Vocabulary(
            iri,
            known.getKeywords().stream().map(UntrustedSchemas::replaced).toArray(Keyword[]::new));
  }

  private static Keyword replaced(Keyword keyword) {
    return REPLACED.stream()
        .filter(replacement -> replacement.getValue().equals(keyword.getValue()))
        .map(Keyword.class::cast)
        .findFirst()
        .orElse(keyword);
  }

  /** The keyword {@code $ref}, whose uses are counted. */
  private static final class Reference extends AbstractKeyword {

    Reference() {
      super("$ref");
    }

    @Override
    public JsonValidator newValidator(
        SchemaLocation location,
        JsonNodePath path,
        JsonNode node,
        JsonSchema parent,
        ValidationContext context) {
      return new CountedReference(location, path, node, parent, context);
    }
  }

  private static final class CountedReference extends RefValidator {

    CountedReference(
        SchemaLocation location,
        JsonNodePath path,
        JsonNode node,
        JsonSchema parent,
        ValidationContext context) {
      super(location, path, node, parent, context);
    }

    @Override
    public Set<ValidationMessage> validate(
        ExecutionContext context, JsonNode node, JsonNode root, JsonNodePath path) {
      Steps.current().addReference();
      return super.validate(context, node, root, path);
    }

    @Override
    public void preloadJsonSchema() {
      Steps.current().addReference();
      super.preloadJsonSchema();
    }
  }

  /** A keyword that schemas of parameters do not need, and whose uses are not counted. */
  private static final class Unsupported extends AbstractKeyword {

    Unsupported(String name) {
      super(name);
    }

    @Override
    public JsonValidator newValidator(
        SchemaLocation location,
        JsonNodePath path,
        JsonNode node,
        JsonSchema parent,
        ValidationContext context) {
      throw new JsonSchemaException(getValue() + " is not supported");
    }
  }
}
