package dev.agentreplay.publish.policy;

import dev.agentreplay.model.EventKind;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of all events in all dialects, with the form of each: the members that a policy can
 * decide on, and those that the format decides.
 */
final class EventCatalog {

  /** The name in a policy for members that every event may have. */
  static final String EVERY = "*";

  /** The member of a policy that decides on values of the source {@code environment:NAME}. */
  static final String ENVIRONMENT_VALUE = "environment_value";

  private static final String ERROR = " error/name:text error/message:text error/stack:text"
      + " error/retryable:boolean error/causes/*/name:text error/causes/*/message:text";

  private static final String EXCEPTION = ERROR.replace(" error/", " +exception/");

  /**
   * A line for each event: its members with their forms, those of nested values after a slash. A
   * plus sign marks members that are in no table of a dialect: they are additional members that
   * writers of this library or conversions add.
   */
  private static final Map<String, String> FORMS = Map.ofEntries(
      Map.entry(
          EVERY,
          "event:tag type:tag t:time ts:time session_id:id agent:id parent:id"
              + " +replayed:unpublished +redacted:content +utf16:notes +java_types:notes +media_types:notes"
              + " +carried_over:never +disclosure:never +published:never"),
      Map.entry(
          "ReplayHeader",
          "created_at:time started_at:time replay_version:structure version:structure"
              + " producer:text policy_bundle_id:text canonicalization:structure salt:never"
              + " replay_of:unpublished +forked_from:unpublished +bundle:never"),
      Map.entry(
          "SessionStart",
          "issue_number:number policy_version:text policy_bundle_id:text task:text"
              + " repo/remote:text repo/branch:text repo/commit:text repo/*:text lane:text"
              + " context:content instructions:text tags:texts user:text environment:text"),
      Map.entry("PlanStart", "plan_hash:hash step_count:number"),
      Map.entry(
          "ToolCall",
          "id:id step_id:id plan_step_id:id tool:text params:content params_hash:content_hash"
              + " params_ref:unpublished params_preview:derived attempt:number effect_id:id"
              + " +tool_call_id:id +params_text:derived"),
      Map.entry(
          "ToolResult",
          "id:id step_id:id output:content output_hash:content_hash output_ref:unpublished"
              + " output_preview:derived stdout_preview:derived stderr_preview:derived"
              + " chunks:derived chunks_text:derived ok:structure exit_code:structure"
              + " step_utility:number latency_ms:number side_effects:effects"
              + " side_effects/*/type:text side_effects/*/path:text outcome_known:structure"
              + " +output_unrecorded:text +chunks_unrecorded:text +attributes:content" + ERROR
              + EXCEPTION),
      Map.entry("StepComplete", "step_id:id status:structure iterations:number"),
      Map.entry(
          "Verification",
          "commands:texts command:text exit_codes:structure exit_code:structure cwd:text"
              + " duration_ms:number verification_delta:number delta:number tests_before:number"
              + " tests_after:number ci_status:text"),
      Map.entry(
          "Payment",
          "rail:text asset_id:text amount_msats:number payment_proof:content job_hash:hash"
              + " status:structure"),
      Map.entry(
          "RuntimeEvent",
          "seq:number runtime_event_type:text payload:content payload_hash:content_hash"
              + " payload_ref:unpublished payload_preview:derived idempotency_key:id"),
      Map.entry(
          "ModelCall",
          "id:id model:text prompt:content prompt_hash:content_hash prompt_ref:unpublished"
              + " prompt_preview:derived prompt_delta:delta parameters/temperature:number"
              + " parameters/max_tokens:number parameters/seed:number parameters/top_p:number"
              + " parameters/top_k:number parameters/frequency_penalty:number"
              + " parameters/presence_penalty:number parameters/stop:content"
              + " parameters/tool_choice:content parameters/response_format:content"
              + " parameters/*:content +provider:text +parameters_type:text"),
      Map.entry(
          "ModelResult",
          "id:id answer:content answer_hash:content_hash answer_ref:unpublished"
              + " answer_preview:derived finish_reason:text partial:structure tokens_in:number"
              + " tokens_out:number latency_ms:number chunks:derived chunks_text:derived"
              + " +model:text +token_usage:text +chunks_unrecorded:text +response_id:id"
              + " +token_details/*:number +token_details/*/*:number" + ERROR),
      Map.entry(
          "Settings",
          "values/*/value:content values/*/source:text values/workspace/source:text"
              + " values/workspace/value/hash:unpublished values/workspace/value/*:content"
              + " values/model_parameters/source:text"
              + " values/model_parameters/value/temperature:number"
              + " values/model_parameters/value/max_tokens:number"
              + " values/model_parameters/value/seed:number"
              + " values/model_parameters/value/top_p:number"
              + " values/model_parameters/value/top_k:number"
              + " values/model_parameters/value/frequency_penalty:number"
              + " values/model_parameters/value/presence_penalty:number"
              + " values/model_parameters/value/*:content values/tools/source:text"
              + " values/tools/value/*/name:text values/tools/value/*/description:text"
              + " values/tools/value/*/schema:content"
              + " values/tools/value/*/annotations/read_only:boolean"
              + " values/tools/value/*/annotations/destructive:boolean"
              + " values/tools/value/*/annotations/idempotent:boolean"
              + " values/tools/value/*/annotations/open_world:boolean"
              + " values/tools/value/*/annotations/*:content values/tools/value/*/*:content"),
      Map.entry(
          "FileState",
          "path:text hash_before:committed hash_after:committed bytes:number mode:file_mode"),
      Map.entry(
          "RecordedValue",
          "source:text ordinal:structure value:content +" + ENVIRONMENT_VALUE + ":content"),
      Map.entry("Checkpoint", "tree_size:tree tree_root:tree signature:unpublished"),
      Map.entry("RecordingGap", "unrecorded_events:structure since:time reason:text"),
      Map.entry(
          "LogSegment", "segment:structure lines_before:tree bytes_before:tree hash_before:tree"),
      Map.entry(
          "SessionEnd",
          "status:structure outcome:structure exact_status:structure confidence:number"
              + " total_tool_calls:structure total_latency_ms:number summary:text"
              + " error_message:text ended_at:time"));

  private static final Member EVERY_EVENT = tree(EVERY);

  private static final Map<EventKind, Member> EVENTS = new EnumMap<>(EventKind.class);

  static {
    for (EventKind kind : EventKind.values()) {
      EVENTS.put(kind, tree(kind.id()));
    }
  }

  private EventCatalog() {}

  /**
   * A member of an event, or of a member.
   *
   * @param form the form of its value
   * @param isAdditional whether no table of a dialect names it
   * @param members the members of its value by name; {@code *} for any other name, and for the
   *     elements of an array
   */
  record Member(MemberForm form, boolean isAdditional, Map<String, Member> members) {

    /** The member with this name, or the one for any name; null if there is none. */
    @Nullable
    Member member(String name) {
      Member member = members.get(name);
      return member == null ? members.get(EVERY) : member;
    }
  }

  /** The members that only events of a kind have. */
  static Member event(EventKind kind) {
    return EVENTS.getOrDefault(kind, EVERY_EVENT);
  }

  /** The members that every event may have. */
  static Member everyEvent() {
    return EVERY_EVENT;
  }

  /** A member of an event; null if it is not known. */
  static @Nullable Member find(EventKind kind, String name) {
    Member own = event(kind).members().get(name);
    return own == null ? EVERY_EVENT.members().get(name) : own;
  }

  /** The names of all events, and {@code *}. */
  static Set<String> eventNames() {
    Set<String> names = new LinkedHashSet<>();
    names.add(EVERY);
    for (EventKind kind : EventKind.values()) {
      if (kind != EventKind.UNKNOWN) {
        names.add(kind.id());
      }
    }
    return names;
  }

  /** The members of an event, or of every event ({@code *}), as a policy names them, with forms. */
  static Map<String, MemberForm> paths(String event) {
    Member root = event.equals(EVERY) ? EVERY_EVENT : event(EventKind.ofTag(event));
    Map<String, MemberForm> paths = new LinkedHashMap<>();
    collect("", root, paths);
    return paths;
  }

  private static void collect(String prefix, Member member, Map<String, MemberForm> paths) {
    member.members().forEach((name, child) -> {
      paths.put(prefix + name, child.form());
      collect(prefix + name + "/", child, paths);
    });
  }

  private static Member tree(String event) {
    Map<String, Member> members = new LinkedHashMap<>();
    String forms = FORMS.getOrDefault(event, "");
    for (String entry : forms.isEmpty() ? new String[0] : forms.split(" ", -1)) {
      boolean isAdditional = entry.startsWith("+");
      int colon = entry.indexOf(':');
      String[] names = entry.substring(isAdditional ? 1 : 0, colon).split("/", -1);
      Map<String, Member> in = members;
      for (int i = 0; i < names.length - 1; i++) {
        in = in.computeIfAbsent(
                names[i],
                name -> new Member(MemberForm.OBJECT, isAdditional, new LinkedHashMap<>()))
            .members();
      }
      MemberForm form = MemberForm.parse(entry.substring(colon + 1));
      in.put(names[names.length - 1], new Member(form, isAdditional, new LinkedHashMap<>()));
    }
    return new Member(MemberForm.OBJECT, false, members);
  }

  /** The additional members of an event, by name. */
  static Map<String, Member> additional(EventKind kind) {
    Map<String, Member> additional = new HashMap<>();
    for (Member root : new Member[] {EVERY_EVENT, event(kind)}) {
      root.members().forEach((name, member) -> {
        if (member.isAdditional()) {
          additional.put(name, member);
        }
      });
    }
    return additional;
  }
}
