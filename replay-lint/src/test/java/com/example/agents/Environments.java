package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.net.InetAddress;
import java.nio.charset.Charset;
import java.time.ZoneId;
import java.util.Locale;

/** Depends on process and machine. */
public final class Environments implements ReplayAgent {

  @Override
  public void run(AgentScope scope) throws Exception {
    // FOUND environment System.getenv
    String mode = System.getenv("MODE");
    // FOUND environment System.getProperty
    String user = System.getProperty("user.name");
    // FOUND environment InetAddress.getLocalHost
    InetAddress host = InetAddress.getLocalHost();
    // FOUND environment Locale.getDefault
    Locale locale = Locale.getDefault();
    // FOUND environment ZoneId.systemDefault
    ZoneId zone = ZoneId.systemDefault();
    // FOUND environment Charset.defaultCharset
    Charset charset = Charset.defaultCharset();
    // FOUND environment Runtime.availableProcessors
    int processors = Runtime.getRuntime().availableProcessors();
    // FOUND environment ProcessHandle.current
    long pid = ProcessHandle.current()
        // FOUND environment ProcessHandle.pid
        .pid();
    // FOUND environment System.in
    int typed = System.in.available();
    String fine = scope.context().environment("MODE");
    scope.ask("m", mode + user + host + locale + zone + charset + processors + pid + typed + fine);
  }
}
