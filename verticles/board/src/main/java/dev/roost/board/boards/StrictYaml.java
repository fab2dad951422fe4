package dev.roost.board.boards;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/// One YAML mapping that holds only known keys, each once, each of the type that is asked for; who
/// wrote it wrong is told the file, the line and what is allowed. Immutable once read.
public final class StrictYaml {
  private final String file;
  private final int linesBefore;
  private final int line;
  private final Map<String, Node> values;

  private StrictYaml(String file, int linesBefore, int line, Map<String, Node> values) {
    this.file = file;
    this.linesBefore = linesBefore;
    this.line = line;
    this.values = values;
  }

  /// Reads a whole YAML document.
  ///
  /// @param file its name, for messages
  /// @param linesBefore how many lines of the file come before `text`
  /// @throws MalformedYaml if it is no mapping, or has other keys than those
  public static StrictYaml read(String file, int linesBefore, String text, Set<String> keys) {
    var settings = LoadSettings.builder().setLabel(file).setMaxAliasesForCollections(0).build();
    try {
      var root = new Compose(settings).composeString(text);
      if (root.isEmpty()) {
        return new StrictYaml(file, linesBefore, linesBefore + 1, Map.of());
      }
      return mapping(file, linesBefore, root.get(), keys);
    } catch (MarkedYamlEngineException broken) {
      var at = broken.getProblemMark().map(mark -> mark.getLine()).orElse(0);
      throw new MalformedYaml(file, linesBefore + at + 1, oneLine(broken.getProblem()));
    } catch (YamlEngineException broken) {
      throw new MalformedYaml(file, linesBefore + 1, oneLine(String.valueOf(broken.getMessage())));
    }
  }

  /// The text under `key`, without space around it; nothing if the key is absent.
  public Optional<String> text(String key) {
    return value(key).map(node -> scalar(key, node));
  }

  /// The text under `key`, which must be there.
  public String requiredText(String key) {
    return text(key).orElseThrow(() -> new MalformedYaml(file, line, key + " is missing"));
  }

  /// The list of texts under `key`; empty if the key is absent.
  public List<String> texts(String key) {
    return items(key).stream().map(node -> scalar(key, node)).toList();
  }

  /// The list of mappings under `key`, each with those keys only; empty if the key is absent.
  public List<StrictYaml> mappings(String key, Set<String> keys) {
    return items(key).stream().map(node -> mapping(file, linesBefore, node, keys)).toList();
  }

  /// What to throw when the value under `key` is of the right type and still not allowed.
  public MalformedYaml refused(String key, String allowed) {
    var at = value(key).map(node -> lineOf(linesBefore, node)).orElse(line);
    return new MalformedYaml(file, at, "%s must be %s".formatted(key, allowed));
  }

  private Optional<Node> value(String key) {
    return Optional.ofNullable(values.get(key));
  }

  private List<Node> items(String key) {
    return value(key)
        .map(
            node -> {
              if (node instanceof SequenceNode list) {
                return list.getValue();
              }
              throw refused(key, "a list, such as [one, two]");
            })
        .orElse(List.of());
  }

  private String scalar(String key, Node node) {
    if (node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.STR)) {
      return scalar.getValue().strip();
    }
    var at = lineOf(linesBefore, node);
    throw new MalformedYaml(file, at, key + " must be a text; put it in \"quotes\"");
  }

  private static StrictYaml mapping(String file, int linesBefore, Node node, Set<String> keys) {
    if (!(node instanceof MappingNode mapping)) {
      var at = lineOf(linesBefore, node);
      throw new MalformedYaml(file, at, "lines of `key: value` are expected; keys: " + list(keys));
    }
    var values = new LinkedHashMap<String, Node>();
    for (var tuple : mapping.getValue()) {
      var at = lineOf(linesBefore, tuple.getKeyNode());
      var key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "a key";
      if (!keys.contains(key)) {
        var message = "%s is not known here; allowed: %s".formatted(key, list(keys));
        throw new MalformedYaml(file, at, message);
      }
      if (values.put(key, tuple.getValueNode()) != null) {
        throw new MalformedYaml(file, at, key + " stands there twice");
      }
    }
    return new StrictYaml(file, linesBefore, lineOf(linesBefore, node), values);
  }

  private static int lineOf(int linesBefore, Node node) {
    return linesBefore + node.getStartMark().map(mark -> mark.getLine()).orElse(0) + 1;
  }

  private static String list(Set<String> keys) {
    return String.join(", ", new TreeSet<>(keys));
  }

  private static String oneLine(String message) {
    var lines = new ArrayList<>(message.lines().toList());
    return lines.isEmpty() ? "cannot be read as YAML" : lines.getFirst();
  }
}
