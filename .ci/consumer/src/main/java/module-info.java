module consumer {
  requires dev.agentreplay.canonical;
}
