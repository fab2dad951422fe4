package dev.roost.launcher.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Who may know whom (design, "The house").
class HouseRulesTest {
  private static JavaClasses house = House.classes();

  @BeforeAll
  static void every_module_is_there() {
    for (var module : new String[] {"server", "testkit", "polyglot", "board", "gate", "launcher"}) {
      assertThat(house.stream().filter(c -> c.getPackageName().startsWith("dev.roost." + module)))
          .as("classes of %s", module)
          .isNotEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "server, dev.roost.server..",
    "board, dev.roost.board..;dev.roost.server..",
    "polyglot, dev.roost.polyglot..;dev.roost.server..",
    "gate, dev.roost.gate..",
    "testkit, dev.roost.testkit..;dev.roost.server.."
  })
  void a_module_knows_of_ours_only(String module, String known) {
    holds(
        classes()
            .that()
            .resideInAPackage("dev.roost." + module + "..")
            .should()
            .onlyDependOnClassesThat(
                not(resideInAPackage("dev.roost..")).or(resideInAnyPackage(known.split(";")))));
  }

  @Test
  void only_deploy_names_a_concrete_verticle() {
    holds(
        noClasses()
            .that()
            .resideInAPackage("dev.roost.launcher..")
            .and()
            .resideOutsideOfPackage("dev.roost.launcher.deploy..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.roost.board..", "dev.roost.polyglot..", "dev.roost.gate.."));
  }

  @Test
  void nobody_knows_the_testkit() {
    holds(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.roost.testkit..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.roost.testkit.."));
  }

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "sse", "longpoll"})
  void the_ways_to_wait_meet_in_topic_and_flow_only(String way) {
    holds(
        noClasses()
            .that()
            .resideInAPackage("dev.roost.server." + way + "..")
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                        "dev.roost.server.websocket..",
                        "dev.roost.server.sse..",
                        "dev.roost.server.longpoll..")
                    .and(not(resideInAPackage("dev.roost.server." + way + "..")))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"server", "polyglot", "board", "gate", "launcher"})
  void no_feature_depends_on_itself_by_way_of_others(String module) {
    holds(
        slices()
            .matching("dev.roost." + module + ".(*)..")
            .should()
            .beFreeOfCycles()
            .allowEmptyShould(true));
  }

  /// The package `pages` is where requests are read and answered; elsewhere the name says so.
  @Test
  void in_the_board_only_routes_and_pages_touch_vertx_web() {
    holds(
        noClasses()
            .that()
            .resideInAPackage("dev.roost.board..")
            .and()
            .resideOutsideOfPackage("dev.roost.board.pages..")
            .and()
            .haveNameNotMatching(".*(Routes|Pages)(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.vertx.ext.web.."));
  }

  @Test
  void in_the_board_only_stores_touch_sql() {
    holds(
        noClasses()
            .that()
            .resideInAPackage("dev.roost.board.pages..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx.sqlclient..", "java.sql..", "org.sqlite.."));
  }

  @Test
  void internals_of_netty_and_foreign_functions_are_for_four_packages() {
    holds(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.roost.server.park..",
                "dev.roost.server.tls..",
                "dev.roost.server.guard..",
                "dev.roost.server.listen..")
            .and()
            .resideOutsideOfPackages("dev.roost.board.accounts..", "dev.roost.gate..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty.util.internal..", "java.lang.foreign.."));
  }

  @Test
  void the_gate_has_no_junit_in_it() {
    holds(
        noClasses()
            .that()
            .resideInAPackage("dev.roost.gate..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.junit.."));
  }

  private static void holds(ArchRule rule) {
    rule.check(house);
  }
}
