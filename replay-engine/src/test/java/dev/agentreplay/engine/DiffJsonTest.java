package dev.agentreplay.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.Divergence.Place;
import dev.agentreplay.engine.Divergence.Role;
import dev.agentreplay.engine.SessionDiff.Calls;
import dev.agentreplay.engine.SessionDiff.First;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Golden: comparisons as JSON. */
class DiffJsonTest {

  @Test
  void comparisonWithDivergences() {
    SessionDiff diff = new SessionDiff(
        new Calls(3, 4, 1, 1, 1, 2),
        new First(1, DivergenceKind.PARAMS),
        List.of(
            new Divergence(
                DivergenceKind.PARAMS,
                Role.ROOT,
                new Place(4, 1, "read"),
                new Place(6, 2, "read"),
                "/params/a~1b",
                JsonValue.of(1),
                JsonValue.of(2),
                JsonPatch.between("/params/a~1b", JsonValue.of(1), JsonValue.of(2))),
            new Divergence(
                DivergenceKind.ADDED,
                Role.DOWNSTREAM,
                null,
                new Place(8, 3, "write"),
                "",
                null,
                JsonObject.EMPTY,
                JsonPatch.added(JsonObject.EMPTY))));

    assertThat(JsonText.pretty(DiffJson.of(diff)))
        .isEqualTo(
            """
            {
              "schema": "replay.diff/1",
              "verdict": "diverged",
              "calls": {
                "left": 3,
                "right": 4,
                "matched": 1,
                "changed": 1,
                "missing": 1,
                "added": 2
              },
              "first": {
                "call": 1,
                "kind": "PARAMS"
              },
              "divergences_truncated": true,
              "divergences": [
                {
                  "kind": "PARAMS",
                  "role": "root",
                  "severity": "moderate",
                  "left": {
                    "line": 4,
                    "call": 1,
                    "tool": "read"
                  },
                  "right": {
                    "line": 6,
                    "call": 2,
                    "tool": "read"
                  },
                  "pointer": "/params/a~1b",
                  "patch": [
                    {
                      "op": "replace",
                      "path": "/params/a~1b",
                      "value": 2
                    }
                  ]
                },
                {
                  "kind": "ADDED",
                  "role": "downstream",
                  "severity": "major",
                  "left": null,
                  "right": {
                    "line": 8,
                    "call": 3,
                    "tool": "write"
                  },
                  "pointer": "",
                  "patch": [
                    {
                      "op": "add",
                      "path": "",
                      "value": {}
                    }
                  ]
                }
              ]
            }""");
  }

  @Test
  void comparisonOfEqualSessions() {
    SessionDiff diff = new SessionDiff(new Calls(2, 2, 2, 0, 0, 0), null, List.of());
    assertThat(DiffJson.of(diff))
        .isEqualTo(JsonObject.of(
            "schema",
            "replay.diff/1",
            "verdict",
            "identical",
            "calls",
            JsonObject.of(
                "left", 2, "right", 2, "matched", 2, "changed", 0, "missing", 0, "added", 0),
            "first",
            null,
            "divergences_truncated",
            false,
            "divergences",
            JsonArray.EMPTY));
  }
}
