package dev.agentreplay.publish.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

/** Property: no policy shows what the format withholds, and each leaves lines that read. */
class RandomPoliciesTest {

  private static final Set<String> NEVER = Set.of(
      "salt",
      "bundle",
      "carried_over",
      "disclosure",
      "published",
      "forked_from",
      "replay_of",
      "replayed",
      "params_ref",
      "output_ref",
      "prompt_ref",
      "answer_ref",
      "payload_ref",
      "signature");

  private static PublicationPolicy random(Random random) {
    Map<String, Map<String, Action>> decisions = new TreeMap<>();
    for (String event : EventCatalog.eventNames()) {
      Map<String, Action> members = new TreeMap<>();
      EventCatalog.paths(event).forEach((path, form) -> {
        if (!form.actions().isEmpty() && random.nextInt(4) > 0) {
          members.put(path, form.actions().get(random.nextInt(form.actions().size())));
        }
      });
      decisions.put(event, members);
    }
    List<CustomRule> rules = new ArrayList<>();
    String[] pointers = {"/**", "/*", "/params/*", "/values/**", "/error", "/*/*/*"};
    for (int i = random.nextInt(3); i > 0; i--) {
      rules.add(new CustomRule(
          rules.size() + 1,
          "r" + i,
          null,
          random.nextBoolean() ? null : "shell",
          PointerPattern.parse(pointers[random.nextInt(pointers.length)]),
          random.nextBoolean() ? null : com.google.re2j.Pattern.compile("[a-z]+"),
          CustomRule.Does.values()[random.nextInt(3)]));
    }
    return new PublicationPolicy(
        "random", "", TextOptions.DEFAULTS, new TreeSet<>(), new TreeSet<>(), decisions, rules);
  }

  @Property(tries = 20)
  @Tag("slow")
  void the_format_decides_on_some_members_whatever_a_policy_says(@ForAll long seed) {
    for (Dialect dialect : Dialect.values()) {
      LinePolicy policy =
          new LinePolicy(random(new Random(seed)), Lines.SECRETS, dialect, Lines.KEY);
      for (JsonObject line : Lines.of(dialect)) {
        Treatment treatment = policy.treat(line);
        JsonObject shown = Lines.shown(line, treatment).asObject();

        assertThat(shown.names()).doesNotContainAnyElementsOf(NEVER);
        assertThat(shown.toString())
            .doesNotContain("sha256:" + "ab".repeat(31) + "ab\",\"location");
        assertHashes(line, treatment);
        assertNormal(line, treatment);
        assertThat(dialect.decode(shown).event().getClass())
            .isEqualTo(dialect.decode(line).event().getClass());
        assertThat(dialect.decode(shown).findings())
            .hasSizeLessThanOrEqualTo(dialect.decode(line).findings().size());
      }
    }
  }

  private static void assertHashes(JsonObject line, Treatment treatment) {
    if (treatment instanceof Treatment.Members members) {
      members.members().forEach((name, member) -> {
        if (name.endsWith("_hash") && !name.equals("plan_hash") && !name.equals("job_hash")) {
          assertThat(member).as(name).isNotEqualTo(Treatment.SHOW);
        }
      });
    }
  }

  /** Fails unless the treatment is in normal form and fits the value. */
  private static void assertNormal(JsonValue value, Treatment treatment) {
    if (treatment instanceof Treatment.Members members) {
      JsonObject object = value.asObject();
      assertThat(object.names()).containsAll(members.members().keySet());
      assertThat(members.members().values()).doesNotContain(Treatment.HIDE);
      assertThat(members.members().size() == object.size()
              && members.members().values().stream().allMatch(Treatment.SHOW::equals))
          .isFalse();
      members.members().forEach((name, member) -> assertNormal(object.get(name), member));
    } else if (treatment instanceof Treatment.Elements elements) {
      JsonArray array = value.asArray();
      assertThat(elements.elements()).hasSize(array.size()).doesNotContain(Treatment.HIDE);
      assertThat(elements.elements()).anyMatch(element -> element != Treatment.SHOW);
      for (int i = 0; i < array.size(); i++) {
        assertNormal(array.get(i), elements.elements().get(i));
      }
    } else if (treatment instanceof Treatment.Replace replace && !replace.rule().equals("policy")) {
      assertThat(value).isInstanceOf(JsonString.class);
      assertThat(replace.shown()).isInstanceOf(JsonString.class);
      assertThat(replace.rule()).matches("(secret|custom):.*|path|email|size|id");
    }
  }
}
