module consumer {
  requires dev.agentreplay.io;
}
