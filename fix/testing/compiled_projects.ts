/** For tests: a small project in each compiled language, with three tests; one of them sees a bug. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../../utils/base/host/host_programs.ts";

export interface CompiledProject {
  name: string;
  /** Another project in the same language is the one that is tried after each change. */
  isOneMore?: boolean;
  /** Programs without which it cannot be tested. */
  needs: readonly string[];
  /** Files and folders, likewise. */
  places?: readonly string[];
  command: string;
  /** Of Maven: read where it lies. */
  localRepository?: string;
  /** Where the bug is. */
  file: string;
  /** The test that sees it, as the runner names it. */
  failing: string;
  files: Record<string, string>;
}

/** What this machine lacks to test a project. */
export const missing = ({ needs, places = [] }: CompiledProject): string[] => [
  ...needs.filter((program) => findProgram(program) === undefined),
  ...places.filter((path) => !existsSync(path)),
];

export const GO: CompiledProject = {
  name: "Go",
  needs: ["go"],
  command: "go test ./...",
  file: "rates/rates.go",
  failing: "example.com/shop/rates.TestDiscounted",
  files: {
    "go.mod": "module example.com/shop\n\ngo 1.18\n",
    "rates/rates.go": `// Package rates tells what things cost.
package rates

// Discounted is the price less some percent of it.
func Discounted(price, percent float64) float64 {
	return price - price*percent/10
}

// Total of some prices.
func Total(prices []float64) float64 {
	sum := 0.0
	for _, price := range prices {
		sum += price
	}
	return sum
}
`,
    "rates/rates_test.go": `package rates

import "testing"

func TestDiscounted(t *testing.T) {
	if got := Discounted(100, 20); got != 80 {
		t.Errorf("Discounted(100, 20) = %v, want 80", got)
	}
}

func TestTotal(t *testing.T) {
	if got := Total([]float64{1, 2}); got != 3 {
		t.Errorf("got %v", got)
	}
}

func TestNothing(t *testing.T) {
	if Total(nil) != 0 {
		t.Fatal("nothing costs something")
	}
}
`,
  },
};

const RUST: CompiledProject = {
  name: "Rust",
  needs: ["cargo", "rustc"],
  command: "cargo test",
  file: "src/lib.rs",
  failing: "tests/rates.rs::discounted_takes_percents_off",
  files: {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2018"\n',
    "src/lib.rs": `/// The price less some percent of it.
pub fn discounted(price: f64, percent: f64) -> f64 {
    price - price * percent / 10.0
}

pub fn total(prices: &[f64]) -> f64 {
    prices.iter().sum()
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_costs_nothing() {
        assert_eq!(super::total(&[]), 0.0);
    }
}
`,
    "tests/rates.rs": `use shop::{discounted, total};

#[test]
fn discounted_takes_percents_off() {
    assert_eq!(discounted(100.0, 20.0), 80.0);
}

#[test]
fn total_adds() {
    assert_eq!(total(&[1.0, 2.0]), 3.0);
}
`,
  },
};

const JAVA_FILES = {
  "src/main/java/shop/Rates.java": `package shop;

public class Rates {
    /** The price less some percent of it. */
    public static double discounted(double price, double percent) {
        return price - price * percent / 10;
    }

    public static double total(double... prices) {
        double sum = 0;
        for (double price : prices) sum += price;
        return sum;
    }
}
`,
  "src/test/java/shop/RatesTest.java": `package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RatesTest {
    @Test
    void discounted() {
        assertEquals(80, Rates.discounted(100, 20), 1e-9);
    }

    @Test
    void total() {
        assertEquals(3, Rates.total(1, 2), 1e-9);
    }

    @Test
    void nothing() {
        assertEquals(0, Rates.total(), 1e-9);
    }
}
`,
};

const POM = ({ junit, plugins }: MavenVersions) => `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>shop</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>${junit}</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
${Object.entries(plugins)
  .map(
    ([name, version]) =>
      `      <plugin><artifactId>maven-${name}-plugin</artifactId><version>${version}</version></plugin>\n`,
  )
  .join("")}    </plugins>
  </build>
</project>
`;

/** Of what the local repository has. */
interface MavenVersions {
  junit: string;
  plugins: Record<string, string>;
}

const LOCAL = join(homedir(), ".m2/repository");

/** What Maven 3.9 takes by itself. */
const MAVEN: MavenVersions = {
  junit: "5.10.2",
  plugins: { resources: "3.3.1", compiler: "3.13.0", surefire: "3.2.5" },
};

const localJar = (artifact: string, version: string): string =>
  join(LOCAL, artifact, version, `${artifact.slice(artifact.lastIndexOf("/") + 1)}-${version}.jar`);

/** Works where the user's local repository has these versions: nothing is downloaded. */
const JAVA_WITH_MAVEN: CompiledProject = {
  name: "Java with Maven",
  isOneMore: true,
  needs: ["mvn", "javac"],
  places: [
    ...Object.entries(MAVEN.plugins).map(([name, version]) =>
      localJar(`org/apache/maven/plugins/maven-${name}-plugin`, version),
    ),
    localJar("org/apache/maven/surefire/surefire-junit-platform", MAVEN.plugins.surefire ?? ""),
    localJar("org/junit/jupiter/junit-jupiter-engine", MAVEN.junit),
  ],
  command: "mvn -q test",
  localRepository: LOCAL,
  file: "src/main/java/shop/Rates.java",
  failing: "shop.RatesTest.discounted",
  files: { ...JAVA_FILES, "pom.xml": POM(MAVEN) },
};

/** Debian's Gradle and JUnit 4, which it finds in Debian's own repository. */
const JAVA_WITH_GRADLE: CompiledProject = {
  name: "Java with Gradle",
  isOneMore: true,
  needs: ["gradle", "javac"],
  places: ["/usr/share/gradle", "/usr/share/maven-repo/junit/junit/4.x"],
  command: "gradle test",
  file: "src/main/java/shop/Rates.java",
  failing: "shop.RatesTest.discounted",
  files: {
    "src/main/java/shop/Rates.java": JAVA_FILES["src/main/java/shop/Rates.java"],
    "src/test/java/shop/RatesTest.java": JAVA_FILES["src/test/java/shop/RatesTest.java"]
      .replace("jupiter.api.Assertions", "Assert")
      .replace("jupiter.api.Test", "Test")
      .replace("class RatesTest", "public class RatesTest")
      .replaceAll(" void", " public void"),
    "build.gradle": `apply plugin: 'java'
repositories { maven { url 'file:///usr/share/maven-repo' } }
dependencies { testCompile 'junit:junit:4.x' }
`,
  },
};

const JARS = ["junit-jupiter-api", "junit-jupiter-engine", "junit-platform-console", "junit-platform-launcher"]
  .concat([
    "junit-platform-commons",
    "junit-platform-engine",
    "junit-platform-reporting",
    "opentest4j",
    "apiguardian-api",
  ])
  .concat(["opentest4j-reporting-events", "opentest4j-reporting-schema", "picocli", "univocity-parsers"])
  .map((name) => `/usr/share/java/${name}.jar`);

const JAVA: CompiledProject = {
  name: "Java with JUnit's console",
  needs: ["java", "javac"],
  places: JARS.slice(0, 6),
  command: `javac -d /tmp/classes -cp ${JARS.join(":")} src/main/java/shop/Rates.java src/test/java/shop/RatesTest.java && java -cp /tmp/classes:${JARS.join(":")} org.junit.platform.console.ConsoleLauncher --scan-classpath /tmp/classes`,
  file: "src/main/java/shop/Rates.java",
  failing: "shop.RatesTest.discounted",
  files: JAVA_FILES,
};

const CPP_FILES = {
  "src/rates.hpp": `#pragma once
#include <vector>

namespace shop {
double discounted(double price, double percent);
double total(const std::vector<double>& prices);
}  // namespace shop
`,
  "src/rates.cpp": `#include "rates.hpp"

namespace shop {

/// The price less some percent of it.
double discounted(double price, double percent) {
    return price - price * percent / 10;
}

double total(const std::vector<double>& prices) {
    double sum = 0;
    for (double price : prices) sum += price;
    return sum;
}

}  // namespace shop
`,
};

const GOOGLE_TEST = `#include <gtest/gtest.h>
#include "../src/rates.hpp"

TEST(Rates, Discounted) { EXPECT_DOUBLE_EQ(shop::discounted(100, 20), 80); }
TEST(Rates, Total) { EXPECT_DOUBLE_EQ(shop::total({1, 2}), 3); }
TEST(Rates, Nothing) { EXPECT_DOUBLE_EQ(shop::total({}), 0); }
`;

const CMAKE = (more: string) => `cmake_minimum_required(VERSION 3.10)
project(shop CXX)
set(CMAKE_CXX_STANDARD 17)
enable_testing()
add_library(rates src/rates.cpp)
${more}`;

const GTEST: CompiledProject = {
  name: "C++ with CTest and GoogleTest",
  isOneMore: true,
  needs: ["cmake", "ctest", "g++"],
  places: ["/usr/include/gtest/gtest.h"],
  command: "ctest",
  file: "src/rates.cpp",
  failing: "Rates.Discounted",
  files: {
    ...CPP_FILES,
    "CMakeLists.txt": CMAKE(`find_package(GTest REQUIRED)
include(GoogleTest)
add_executable(rates_test tests/rates_test.cpp)
target_link_libraries(rates_test rates GTest::gtest GTest::gtest_main)
gtest_discover_tests(rates_test)
`),
    "tests/rates_test.cpp": GOOGLE_TEST,
  },
};

const CATCH: CompiledProject = {
  ...GTEST,
  name: "C++ with CTest and Catch2",
  isOneMore: true,
  places: ["/usr/include/catch2/catch.hpp"],
  failing: "prices are discounted",
  files: {
    ...CPP_FILES,
    "CMakeLists.txt": CMAKE(`find_package(Catch2 REQUIRED)
include(Catch)
add_executable(rates_test tests/rates_test.cpp)
target_link_libraries(rates_test rates Catch2::Catch2)
catch_discover_tests(rates_test)
`),
    "tests/rates_test.cpp": `#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include "../src/rates.hpp"

TEST_CASE("prices are discounted", "[rates]") { REQUIRE(shop::discounted(100, 20) == Approx(80)); }
TEST_CASE("prices add up", "[rates]") { REQUIRE(shop::total({1, 2}) == Approx(3)); }
TEST_CASE("nothing costs nothing", "[rates]") { REQUIRE(shop::total({}) == 0); }
`,
  },
};

/** Any command that prints what GoogleTest prints. */
const ANY: CompiledProject = {
  ...GTEST,
  name: "C++ by a command of its own",
  isOneMore: false,
  needs: ["g++", "make"],
  command: "make check",
  files: {
    ...CPP_FILES,
    Makefile:
      "check:\n\tg++ -std=c++17 src/rates.cpp tests/rates_test.cpp -lgtest -lgtest_main -pthread -o /tmp/rates_test\n\t/tmp/rates_test\n",
    "tests/rates_test.cpp": GOOGLE_TEST,
  },
};

export const COMPILED_PROJECTS: readonly CompiledProject[] = [
  GO,
  RUST,
  JAVA_WITH_MAVEN,
  JAVA_WITH_GRADLE,
  JAVA,
  GTEST,
  CATCH,
  ANY,
];
