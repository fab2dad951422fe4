package dev.roost.polyglot.javascript;

import dev.roost.server.topic.Topic;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Value;

/// A topic as a script sees it. Confined to the realm's event loop, though the topic is
/// everybody's.
public final class ScriptTopic {

  /// The name it was asked for by.
  @HostAccess.Export public final String name;

  private final Realm realm;
  private final Topic topic;

  ScriptTopic(Realm realm, Topic topic) {
    this.realm = realm;
    this.topic = topic;
    this.name = topic.name();
  }

  /// Publishes a string, or anything else as JSON, to every follower in every instance.
  ///
  /// @return a promise of the message's id
  @HostAccess.Export
  public Value publish(Value message) {
    return realm.promise(topic.publish(realm.text(message)));
  }

  Topic topic() {
    return topic;
  }
}
