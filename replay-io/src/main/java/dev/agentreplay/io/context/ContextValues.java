package dev.agentreplay.io.context;

import dev.agentreplay.model.RecordedValue;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The seam through which every value of a {@link DeterministicContext} passes, and which decides
 * between a live value and a recorded one. {@link #live} returns live values, {@link #recorded}
 * also records them; a replay returns recorded ones instead, restored with
 * {@link ValueForm#fromJson}, which refuses a value that does not fit the request.
 *
 * <p>The context calls {@link #value} for one value of a lane and source at a time, with ascending
 * ordinals; for different lanes and sources, in several threads. If it throws, the caller of the
 * context gets the exception, and the next value has the same ordinal.
 */
public interface ContextValues {

  /**
   * Returns a value.
   *
   * @param request the lane, source and ordinal of the value
   * @param form the JSON form of the values that fit the request
   * @param live computes the live value; it has no side effects, and need not be called; it fails
   *     if the options of the context, or the version that was returned before, refuse the request
   * @throws IOException if the live value cannot be read, or the value cannot be recorded
   */
  <T extends @Nullable Object> T value(ValueRequest request, ValueForm<T> form, Live<T> live)
      throws IOException;

  /** Live values, which are not recorded. */
  static ContextValues live() {
    return new ContextValues() {
      @Override
      public <T extends @Nullable Object> T value(
          ValueRequest request, ValueForm<T> form, Live<T> live) throws IOException {
        return live.read();
      }
    };
  }

  /** Live values, each of which is recorded before it is returned. */
  static ContextValues recorded(Recorder recorder) {
    return new ContextValues() {
      @Override
      public <T extends @Nullable Object> T value(
          ValueRequest request, ValueForm<T> form, Live<T> live) throws IOException {
        T value = live.read();
        recorder.record(
            request.lane(),
            RecordedValue.of(request.source(), request.ordinal(), form.toJson(value)));
        return value;
      }
    };
  }

  /** Reads a live value. */
  @FunctionalInterface
  interface Live<T extends @Nullable Object> {

    /** Returns the live value. */
    T read() throws IOException;
  }

  /** Records values, as a {@code SessionRecorder} does. */
  @FunctionalInterface
  interface Recorder {

    /**
     * Records a value.
     *
     * @param lane the name of the lane; null for the main one
     * @throws IOException if it cannot be recorded; the value is not returned then
     */
    void record(@Nullable String lane, RecordedValue value) throws IOException;
  }
}
