package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Talks to other machines and programs. */
public final class Networks implements ReplayAgent {

  @Override
  public void run(AgentScope scope) throws Exception {
    URI uri = URI.create("http://localhost/");
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    // FOUND network HttpClient.send
    String answer = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    // FOUND network Socket.<init>
    try (Socket socket = new Socket("localhost", 80)) {
      scope.call("port", socket.getPort());
    }
    // FOUND network URL.openStream
    try (InputStream in = uri.toURL().openStream()) {
      scope.call("byte", in.read());
    }
    // FOUND process ProcessBuilder.start
    Process process = new ProcessBuilder("date").start();
    scope.ask("m", answer + process.waitFor());
  }
}
