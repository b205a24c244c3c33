// SPDX-License-Identifier: Apache-2.0
// cli.h: what the subcommands of `backplane` share. Each has a file of its own, declares its
// options on the app and returns what to run. That returns the exit code: 0 when it is done, 1 when
// it could not be done or a check failed, 2 when the command line was wrong. Answers go to stdout,
// complaints to stderr; an answer that cannot be written is a failure. Colours are for terminals.
#pragma once
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "backplane.hpp"

namespace cli {

using Run = std::function<int()>;
Run bench(CLI::App& app);
Run completion(CLI::App& app);
Run devices(CLI::App& app);
Run doctor(CLI::App& app);
Run eval(CLI::App& app);
Run help(CLI::App& app);
Run info(CLI::App& app);
Run man(CLI::App& app);
Run ops(CLI::App& app);
Run profile(CLI::App& app);
Run run(CLI::App& app);
Run show(CLI::App& app);
Run train(CLI::App& app);
Run verify(CLI::App& app);
Run new_plugin(CLI::App& app);

// Thrown when the command line was wrong; becomes one sentence and exit code 2.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// CLI::Range lets it through.
inline const CLI::Validator kNoNan(
    [](const std::string& s) {
      return std::isnan(std::strtod(s.c_str(), nullptr)) ? "'" + s + "' is no number" : "";
    },
    "");

// The backends for hardware that Backplane has, best first.
inline constexpr const char* kAccelerators[] = {"cuda", "hip"};

// Loads the backend of every kind that a plugin was found for, and returns the report.
std::vector<backplane::ReportEntry> try_everything();
const char* stage_name(std::int32_t stage);
// Whether the candidate was tried and did not become usable.
bool is_absent(const backplane::ReportEntry& entry);
// The variables that are set and that the library, its plugins or their threads look at, in order.
std::vector<std::pair<std::string, std::string>> environment();

// Returns the candidate that begins with the word or is most like it; "" when none is like it, and
// for a word of less than three letters.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);
// Returns "; did you mean matmul?", or "" when nothing is like the word.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

// Returns "1.5 GiB", "812 MiB" or "0 B".
std::string byte_text(std::uint64_t bytes);
// Returns "1.5 us" or "12 ms": three digits.
std::string duration_text(double seconds);
// Returns the text as it stands in a picture: in SVG.
std::string svg_text(const std::string& text);
// Puts rows into columns as wide as their contents, two spaces apart; the first row is the head.
std::string columns(const std::vector<std::vector<std::string>>& rows);
bool is_terminal(int file);
// Colours a text for a terminal, unless NO_COLOR is set (no-color.org) or TERM is dumb. `file` is
// where it will be written.
enum class Paint { kGood, kBad, kDim, kBold, kFirst, kSecond };
std::string painted(Paint paint, const std::string& text, int file = 1);
// Returns the path of what came with the command, "plugin-template": bin/backplane lies beside
// share/backplane, in the build tree and where it is installed.
std::string beside_command(const std::string& name);
std::string default_data();  // the digits

}  // namespace cli
