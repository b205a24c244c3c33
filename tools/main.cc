// SPDX-License-Identifier: Apache-2.0
// backplane: the command. It looks at what the library finds on this machine; cli.h has
// the exit codes.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <sstream>
#include <system_error>

#include "cli.h"

namespace {

// `command` is the subcommand that was meant, or "".
int complain(const std::string& text, int code, const std::string& command = "") {
  fmt::print(stderr, "{} {}\n", cli::painted(cli::Paint::kBad, "backplane:", STDERR_FILENO), text);
  if (code == 2)
    fmt::print(stderr, "Run `backplane {}{}--help` to see what there is.\n", command,
               command.empty() ? "" : " ");
  return code;
}

constexpr struct {
  const char *name, *text;
  cli::Run (*declare)(CLI::App&);
} kCommands[] = {
    {"devices", "List the devices, and the backends that are absent", cli::devices},
    {"doctor", "Say how far each backend came when it was loaded, and what to do", cli::doctor},
    {"ops", "Show which backend has which op for which dtypes", cli::ops},
    {"train", "Train a net on handwritten digits, or your model on your data", cli::train},
    {"eval", "Run a trained net, also on another backend, and compare", cli::eval},
    {"show", "Say what is in the file of a recorded program, and draw it", cli::show},
    {"run", "Run the file of a recorded program, on any backend, and time it", cli::run},
    {"profile", "Show what a program's time went to: tables and a picture", cli::profile},
    {"bench", "Time a few ops and copies on a device", cli::bench},
    {"new-plugin", "Write a backend to begin with, under a name of your own", cli::new_plugin},
    {"verify", "Judge a plugin, yours or anybody's, by the conformance kit", cli::verify},
    {"info", "Say what a bug report needs: versions, plugins, devices, threads, system", cli::info},
    {"completion", "Print what makes a shell complete this command", cli::completion},
    {"man", "Print the manual page", cli::man},
    {"help", "Print the page of a command", cli::help},
};

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const auto& c : kCommands) names.emplace_back(c.name);
  names.emplace_back("version");  // which has no page of its own
  return names;
}

// Returns what nobody asked for, in the order in which it was typed.
std::vector<std::string> unexpected(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> left = app.remaining(/*recurse=*/true), typed;
  for (int i = 1; i < argc; ++i) {
    const auto at = std::find(left.begin(), left.end(), argv[i]);
    if (at == left.end()) continue;
    typed.push_back(*at);
    left.erase(at);
  }
  return typed;
}

std::vector<std::string> long_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* o : app.get_options())
    for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
  return names;
}

int complain_of_extras(const CLI::App& app, int argc, char** argv) {
  const auto extras = unexpected(app, argc, argv);
  const auto chosen = app.get_subcommands();
  if (chosen.empty() && extras.at(0)[0] != '-')
    return complain(fmt::format("'{}' is not a command; there are {}{}", extras[0],
                                fmt::join(command_names(), ", "),
                                cli::did_you_mean(extras[0], command_names())),
                    2);
  const CLI::App& asked = chosen.empty() ? app : *chosen.front();
  std::string hint;
  for (const std::string& extra : extras)
    if (hint.empty() && extra[0] == '-')
      hint = cli::did_you_mean(extra.substr(0, extra.find('=')), long_options(asked));
  return complain(
      fmt::format("{} does not know {}{}", asked.get_name(), fmt::join(extras, " "), hint), 2,
      chosen.empty() ? "" : asked.get_name());
}

int run(int argc, char** argv) {
  CLI::App app("Backplane: tensors on whatever devices are there.", "backplane");
  app.set_version_flag("--version",
                       fmt::format("backplane {} (C ABI {})", bp_version(), bp_abi_version()),
                       "Print the library's version and exit");
  app.set_help_flag("-h,--help", "Print this page and exit");
  app.footer(
      "Examples:\n"
      "  backplane devices            what can be computed on, and what is missing and why\n"
      "  backplane doctor cuda        why does cuda not work here? (exit code 1 while it does "
      "not)\n"
      "  backplane ops matmul         which backend multiplies which dtypes\n"
      "  backplane train digits       learn them from 1,797 images; then: backplane eval digits.safetensors --device sim:1\n"
      "  backplane train --data mine.csv --target price --model net.json    your data, your model\n"
      "  backplane profile summary trace.json       what the time went to, of BACKPLANE_PROFILE=trace.json\n"
      "  backplane new-plugin acme ./acme           begin a backend; its README.md is the way\n"
      "  backplane verify ./libbackplane_mine.so    does my backend do what it must\n"
      "\n"
      "Environment: BACKPLANE_VISIBLE_DEVICES, BACKPLANE_PLUGIN_PATH, BACKPLANE_ALIAS, "
      "BACKPLANE_NUM_THREADS,\n"
      "BACKPLANE_FALLBACK, BACKPLANE_LOG, BACKPLANE_PROFILE, <KIND>_VISIBLE_DEVICES, OMP_NUM_THREADS, NO_COLOR.");
  app.require_subcommand(0, 1);

  std::map<const CLI::App*, cli::Run> commands;
  for (const auto& c : kCommands) {
    CLI::App* sub = app.add_subcommand(c.name, c.text);
    sub->set_help_flag("-h,--help", "Print this page and exit");
    commands[sub] = c.declare(*sub);
    // An option that may come several times takes one value each time, so that what follows is not
    // swallowed.
    for (CLI::Option* o : sub->get_options())
      if (o->nonpositional()) o->allow_extra_args(false);
  }
  CLI::App* version = app.add_subcommand("version", "Print the library's version");
  commands[version] = [&] {
    fmt::print("{}\n", app.version());
    return 0;
  };

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) {  // --help or --version
      std::ostringstream page;
      app.exit(e, page, page);
      fmt::print("{}", page.str());
      return 0;
    }
    // What is not known comes first: it may be why something else is missing or has a wrong value.
    if (!unexpected(app, argc, argv).empty()) return complain_of_extras(app, argc, argv);
    return complain(e.what(), 2,
                    app.get_subcommands().empty() ? "" : app.get_subcommands().front()->get_name());
  }
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) {
    fmt::print("{}", app.help());
    return 0;
  }
  try {
    return commands.at(chosen.front())();
  } catch (const cli::BadInput& e) {
    return complain(e.what(), 2, chosen.front()->get_name());
  }
}

// A file that is opened later must not get the number of a stream that the caller closed, and take
// what is written to it. What is written to these fails.
void keep_stream_numbers() {
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file)
    if (fcntl(file, F_GETFD) == -1 && errno == EBADF)
      static_cast<void>(open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

}  // namespace

int main(int argc, char** argv) {
  keep_stream_numbers();
  int code = 1, lost = 0;
  try {
    code = run(argc, argv);
  } catch (const std::system_error& e) {
    if (std::ferror(stdout) == 0) return complain(e.what(), 1);
    lost = e.code().value();
  } catch (const std::exception& e) {
    return complain(e.what(), 1);
  }
  if (lost == 0 && std::fflush(stdout) != 0) lost = errno;
  if (lost != 0 || std::ferror(stdout) != 0)
    return complain(
        fmt::format("the answer could not be written: {}", std::strerror(lost ? lost : EIO)), 1);
  return code;
}
