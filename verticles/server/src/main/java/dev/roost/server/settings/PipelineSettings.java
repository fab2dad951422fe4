package dev.roost.server.settings;

/// Keys `http.batch`, `http.yield-batch` and `http.coalesce`: how the pipelined requests of one
/// HTTP/1.1 connection are served.
///
/// @param batch requests whose answers go out in one write, 1..1024
/// @param yieldBatch requests served before the loop turns to its other connections, 1..`batch`
/// @param coalesceBytesMax answers held for that write, in bytes, 1 KiB..64 MiB; beyond it they go
///   out at once
public record PipelineSettings(int batch, int yieldBatch, int coalesceBytesMax) {
  public PipelineSettings {
    Require.between("http.batch", batch, 1, 1_024);
    Require.between("http.yield-batch", yieldBatch, 1, batch);
    Require.between("http.coalesce", coalesceBytesMax, 1 << 10, 64 << 20);
  }
}
