/// One kind of load on one server. Built, it has opened its connections.
abstract class Load implements AutoCloseable {

  /// The connections whose latencies count; what follows is confined to their event loop.
  final Wire wire;

  final Latencies latencies = new Latencies();

  Load(int port) throws Exception {
    wire = new Wire(port);
  }

  /// Loads the server for so long, and ends what must not be cut.
  void run(double seconds) throws Exception {
    Thread.sleep((long) (seconds * 1_000));
    wire.check();
  }

  /// Forgets what was counted until now.
  void begin() throws Exception {
    wire.loop().submit(latencies::begin).get();
  }

  /// What was counted since, as JSON.
  String figures() throws Exception {
    return wire.ask(latencies::json);
  }

  @Override
  public void close() {
    wire.close();
  }
}
