package dev.roost.launcher.config;

import dev.roost.server.settings.StartRefusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Settings from environment variables: `ROOST_` and the key in capitals. Every variable with that
/// prefix must be a setting: a misspelt one would otherwise be ignored in silence.
public final class Environment {
  static final String PREFIX = "ROOST_";

  /// What Kubernetes puts into every container for a Service named `roost` or `roost-…` unless the
  /// pod says `enableServiceLinks: false` (kubernetes.io, "Accessing the Service").
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "ROOST(_[A-Z0-9_]+)?"
              + "_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?"
              + "|PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

  /// What such a link holds: `tcp://10.0.0.7:9443`. A Service `roost-server` would set
  /// `ROOST_SERVER_PORT` to it.
  private static final Pattern LINK_VALUE = Pattern.compile("(tcp|udp|sctp)://.*");

  private Environment() {}

  /// @throws dev.roost.server.settings.StartRefusal for a `ROOST_` variable that is no setting
  public static List<Assignment> read(Map<String, String> variables) {
    var assignments = new ArrayList<Assignment>();
    new TreeMap<>(variables)
        .tailMap(PREFIX).entrySet().stream()
            .takeWhile(variable -> variable.getKey().startsWith(PREFIX))
            .forEach(
                variable -> assignments.add(assignment(variable.getKey(), variable.getValue())));
    return List.copyOf(assignments);
  }

  private static Assignment assignment(String name, String value) {
    if (LINK_VALUE.matcher(value).matches()) {
      throw serviceLink(name, value);
    }
    var key = Catalogue.keys().stream().filter(k -> k.variable().equals(name)).findFirst();
    if (key.isEmpty() && SERVICE_LINK.matcher(name).matches()) {
      throw serviceLink(name, value);
    }
    var known = Catalogue.keys().stream().map(Key::variable).toList();
    return new Assignment(
        key.orElseThrow(() -> Refusals.unknownVariable(name, known)).name(),
        value,
        Source.variable(name));
  }

  private static StartRefusal serviceLink(String name, String value) {
    return Refusals.refusal(
        "%s=%s: Kubernetes sets this for a Service, it is no setting;".formatted(name, value)
            + " write enableServiceLinks: false into the pod (environment)");
  }
}
