package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
import dev.langchain4j.model.output.TokenUsage;
import org.junit.jupiter.api.Test;

/** The numbers that classes of providers state. */
class TokenDetailsTest {

  /** A usage whose accessors lead to themselves and to each other. */
  public static final class EndlessUsage extends TokenUsage {

    public Builder toBuilder() {
      return new Builder();
    }

    public int cached() {
      return 7;
    }

    public int failing() {
      throw new NoClassDefFoundError("not there");
    }

    /** A class of which a method returns the class itself. */
    public static final class Builder {

      public Builder self() {
        return this;
      }

      public Other other() {
        return new Other();
      }

      public int set() {
        return 1;
      }
    }

    /** A class that leads back. */
    public static final class Other {

      public Builder back() {
        return new Builder();
      }

      public int deep() {
        return 2;
      }
    }
  }

  @Test
  void accessors_that_lead_back_are_followed_once() {
    assertThat(TokenDetails.of(new EndlessUsage()))
        .isEqualTo(JsonObject.of("cached", 7, "toBuilder", JsonObject.of("set", 1)));
  }
}
