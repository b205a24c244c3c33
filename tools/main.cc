// SPDX-License-Identifier: Apache-2.0
// backplane: the command. It looks at what the library finds on this machine; cli.h has
// the exit codes.
#include <fmt/format.h>

#include <cstdio>
#include <map>

#include "cli.h"

namespace {

// `command` is the subcommand that was meant, or "".
int complain(const std::string& text, int code, const std::string& command = "") {
  fmt::print(stderr, "backplane: {}\n", text);
  if (code == 2)
    fmt::print(stderr, "Run `backplane {}{}--help` to see what there is.\n", command,
               command.empty() ? "" : " ");
  return code;
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
      "  backplane new-plugin acme ./acme           begin a backend; its README.md is the way\n"
      "  backplane verify ./libbackplane_mine.so    does my backend do what it must\n"
      "\n"
      "Environment: BACKPLANE_VISIBLE_DEVICES, BACKPLANE_PLUGIN_PATH, BACKPLANE_ALIAS, "
      "<KIND>_VISIBLE_DEVICES.");
  app.require_subcommand(0, 1);

  std::map<const CLI::App*, cli::Run> commands;
  const auto add = [&](const char* name, const char* text, cli::Run (*declare)(CLI::App&)) {
    CLI::App* sub = app.add_subcommand(name, text);
    sub->set_help_flag("-h,--help", "Print this page and exit");
    commands[sub] = declare(*sub);
  };
  add("devices", "List the devices, and the backends that are absent", cli::devices);
  add("doctor", "Say how far each backend came when it was loaded, and what to do", cli::doctor);
  add("ops", "Show which backend has which op for which dtypes", cli::ops);
  add("train", "Train a small net on handwritten digits", cli::train);
  add("eval", "Run a trained net, also on another backend, and compare", cli::eval);
  add("new-plugin", "Write a backend to begin with, under a name of your own", cli::new_plugin);
  add("verify", "Judge a plugin, yours or anybody's, by the conformance kit", cli::verify);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    const std::vector<std::string> rest = app.remaining();
    if (app.get_subcommands().empty() && !rest.empty() && rest[0][0] != '-')
      return complain(
          fmt::format(
              "'{}' is not a command; there are devices, doctor, ops, train, eval, new-plugin and verify",
              rest[0]),
          2);
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

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    return complain(e.what(), 1);
  }
}
