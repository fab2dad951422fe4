package dev.roost.launcher.k8s;

import java.util.Map;

/// What the kubelet puts into a pod that wants service links (kubernetes.io, "Accessing the
/// Service").
final class ServiceLinks {

  /// For a Service named roost that serves `https` on 443.
  static final Map<String, String> OF_ROOST =
      Map.of(
          "ROOST_SERVICE_HOST", "10.0.0.1",
          "ROOST_SERVICE_PORT", "443",
          "ROOST_SERVICE_PORT_HTTPS", "443",
          "ROOST_PORT", "tcp://10.0.0.1:443",
          "ROOST_PORT_443_TCP", "tcp://10.0.0.1:443",
          "ROOST_PORT_443_TCP_PROTO", "tcp",
          "ROOST_PORT_443_TCP_PORT", "443",
          "ROOST_PORT_443_TCP_ADDR", "10.0.0.1");

  private ServiceLinks() {}
}
