// SPDX-License-Identifier: Apache-2.0
// backplane help, completion and man: the commands' own declarations, printed for a reader, a shell
// and man(1). Nothing here is written by hand for one command.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli.h"

namespace cli {
namespace {

// What a shell needs to know of an option or an argument.
struct Choice {
  std::vector<std::string> flags;  // "--kind", "-h"; none for an argument
  std::string text;                // the first sentence, on one line
  std::string name;                // of its value, "TEXT"
  bool takes_value = false, takes_file = false;
  std::vector<std::string> values;  // when these are all
};
struct Command {
  std::string name, text;
  std::vector<Choice> options, arguments;
};

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

// CLI11 puts a checked value's range into the name of its type: "TEXT:{digits}", "TEXT:FILE".
Choice choice_of(const CLI::Option& o) {
  Choice c;
  for (const std::string& name : o.get_lnames()) c.flags.push_back("--" + name);
  for (const std::string& name : o.get_snames()) c.flags.push_back("-" + name);
  c.text = one_line(o.get_description());
  c.takes_value = o.get_items_expected_max() > 0;
  const std::string type = o.get_type_name();
  c.name = o.nonpositional() ? type.substr(0, type.find(':')) : o.get_name(/*positional=*/true);
  c.takes_file = type.find("FILE") != std::string::npos || c.name.find("FILE") != std::string::npos;
  const std::size_t open = type.find('{'), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos) return c;
  const std::string list = type.substr(open + 1, close - open - 1);
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    c.values.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return c;
}

Command command_of(const CLI::App& app) {
  Command out{app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* o : app.get_options())
    (o->nonpositional() ? out.options : out.arguments).push_back(choice_of(*o));
  return out;
}

std::vector<const CLI::App*> subcommands(const CLI::App& root) {
  return root.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<Command> commands_of(const CLI::App& root) {
  std::vector<Command> out;
  for (const CLI::App* sub : subcommands(root)) out.push_back(command_of(*sub));
  return out;
}

std::vector<std::string> names_of(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& c : commands) names.push_back(c.name);
  return names;
}

std::vector<std::string> flags_of(const Command& command) {
  std::vector<std::string> flags;
  for (const Choice& o : command.options) flags.insert(flags.end(), o.flags.begin(), o.flags.end());
  return flags;
}

// ---- bash ---------------------------------------------------------------------------------------

std::string bash_values(const Choice& c) {
  if (!c.values.empty())
    return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))", fmt::join(c.values, " "));
  return c.takes_file ? "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\"))" : ":";
}

std::string bash(const Command& root, const std::vector<Command>& commands) {
  std::string out =
      "# bash completion for backplane, printed by `backplane completion bash`\n"
      "_backplane() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb= i\n"
      "  COMPREPLY=()\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    [[ ${COMP_WORDS[i]} == -* ]] || { verb=${COMP_WORDS[i]}; break; }\n"
      "  done\n"
      "  case $verb in\n";
  out += fmt::format("    '') COMPREPLY=($(compgen -W '{} {}' -- \"$cur\")) ;;\n",
                     fmt::join(names_of(commands), " "), fmt::join(flags_of(root), " "));
  for (const Command& c : commands) {
    out += fmt::format("    {})\n", c.name);
    std::string values;
    for (const Choice& o : c.options)
      if (o.takes_value)
        values +=
            fmt::format("        {}) {}; return ;;\n", fmt::join(o.flags, "|"), bash_values(o));
    if (!values.empty()) out += "      case $prev in\n" + values + "      esac\n";
    out += fmt::format(
        "      [[ $cur == -* ]] && COMPREPLY=($(compgen -W '{}' -- \"$cur\")) && return\n",
        fmt::join(flags_of(c), " "));
    for (const Choice& a : c.arguments)
      if (!a.values.empty() || a.takes_file) {
        out += "      " + bash_values(a) + "\n";
        break;
      }
    out += "      ;;\n";
  }
  return out + "  esac\n}\ncomplete -F _backplane backplane\n";
}

// ---- zsh ----------------------------------------------------------------------------------------

// Quotes for a specification of _arguments within single quotes.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const Choice& c) {
  if (!c.values.empty()) return fmt::format("({})", fmt::join(c.values, " "));
  return c.takes_file ? "_files" : " ";
}

std::string zsh(const std::vector<Command>& commands) {
  std::string out =
      "#compdef backplane\n"
      "# zsh completion for backplane, printed by `backplane completion zsh`\n"
      "_backplane() {\n"
      "  local -a verbs\n"
      "  verbs=(\n";
  for (const Command& c : commands) out += fmt::format("    '{}:{}'\n", c.name, zsh_text(c.text));
  out +=
      "  )\n"
      "  if ((CURRENT == 2)); then _describe command verbs; return; fi\n"
      "  local verb=$words[2]\n"
      "  shift words; ((CURRENT--))\n"
      "  case $verb in\n";
  for (const Command& c : commands) {
    out += fmt::format("    {}) _arguments", c.name);
    for (const Choice& o : c.options)
      for (const std::string& flag : o.flags)
        out += fmt::format(
            " \\\n      '*{}[{}]{}'", flag, zsh_text(o.text),
            o.takes_value ? fmt::format(":{}:{}", zsh_text(o.name), zsh_action(o)) : "");
    for (const Choice& a : c.arguments)
      out += fmt::format(" \\\n      '*:{}:{}'", zsh_text(a.name), zsh_action(a));
    out += " ;;\n";
  }
  return out + "  esac\n}\n_backplane \"$@\"\n";
}

// ---- fish ---------------------------------------------------------------------------------------

std::string fish_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string fish(const std::vector<Command>& commands) {
  std::string out =
      "# fish completion for backplane, printed by `backplane completion fish`\n"
      "complete -c backplane -f\n";
  for (const Command& c : commands) {
    out += fmt::format("complete -c backplane -n __fish_use_subcommand -a {} -d '{}'\n", c.name,
                       fish_text(c.text));
    const std::string here =
        fmt::format("complete -c backplane -n '__fish_seen_subcommand_from {}'", c.name);
    for (const Choice& o : c.options) {
      out += here;
      for (const std::string& flag : o.flags)
        out += flag.rfind("--", 0) == 0 ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
      if (o.takes_value) out += o.takes_file ? " -r -F" : " -x";
      if (!o.values.empty()) out += fmt::format(" -a '{}'", fmt::join(o.values, " "));
      out += fmt::format(" -d '{}'\n", fish_text(o.text));
    }
    for (const Choice& a : c.arguments) {
      if (!a.values.empty()) out += fmt::format("{} -a '{}'\n", here, fmt::join(a.values, " "));
      if (a.takes_file) out += here + " -F\n";
    }
  }
  return out;
}

// ---- man ----------------------------------------------------------------------------------------

// Escapes text for troff: no line may begin with a dot or a quote, and a hyphen is one to be
// copied.
std::string roff(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (i == 0 || text[i - 1] == '\n')
      if (c == '.' || c == '\'') out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string preformatted(const std::string& text) {
  return text.empty() ? "" : ".PP\n.nf\n" + roff(text) + "\n.fi\n";
}

std::string man_choices(const std::vector<Choice>& choices) {
  std::string out;
  for (const Choice& c : choices) {
    std::string head;
    for (const std::string& flag : c.flags) head += (head.empty() ? "" : ", ") + flag;
    out += ".TP\n.B " + roff(head.empty() ? c.name : head);
    if (!head.empty() && c.takes_value)
      out += roff(" " + (c.values.empty() ? c.name : fmt::format("{}", fmt::join(c.values, "|"))));
    out += "\n" + roff(c.text.empty() ? "." : c.text) + "\n";
  }
  return out;
}

std::string man_page(const CLI::App& root) {
  std::string out = fmt::format(
      ".TH BACKPLANE 1 \"\" \"backplane {}\" \"User Commands\"\n"
      ".SH NAME\nbackplane \\- {}\n"
      ".SH SYNOPSIS\n.B backplane\n.RI [ COMMAND ]\n.RI [ OPTIONS ]\n"
      ".SH OPTIONS\n",
      bp_version(), "tensors on whatever devices are there");
  out += man_choices(command_of(root).options);
  out += ".SH COMMANDS\n";
  for (const CLI::App* sub : subcommands(root)) {
    const Command c = command_of(*sub);
    out += fmt::format(".SS {}\n{}.\n", roff(c.name), roff(c.text));
    out += man_choices(c.arguments) + man_choices(c.options) + preformatted(sub->get_footer());
  }
  out +=
      ".SH EXIT STATUS\n"
      "0 when it is done, 1 when it could not be done or a check failed, 2 when the command line "
      "was wrong.\n";
  out += ".SH EXAMPLES AND ENVIRONMENT\n" + preformatted(root.get_footer());
  return out;
}

}  // namespace

Run help(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  app.add_option("COMMAND", *name, "The command; without it, the page of all");
  return [=, &app] {
    const CLI::App& root = *app.get_parent();
    std::vector<std::string> names;
    for (const CLI::App* sub : subcommands(root)) {
      names.push_back(sub->get_name());
      if (sub->get_name() != *name) continue;
      fmt::print("{}", sub->help(root.get_name()));
      return 0;
    }
    if (!name->empty())
      throw BadInput(fmt::format("'{}' is not a command{}", *name, did_you_mean(*name, names)));
    // root.help() would be the page of the command that is running, which is this one.
    fmt::print("{}",
               root.get_formatter()->make_help(&root, root.get_name(), CLI::AppFormatMode::Normal));
    return 0;
  };
}

Run completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "Which shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  app.footer(
      "bash: source <(backplane completion bash)\n"
      "zsh:  backplane completion zsh > \"${fpath[1]}/_backplane\"\n"
      "fish: backplane completion fish > ~/.config/fish/completions/backplane.fish\n"
      "An installed copy has these files where the shells look.");
  return [=, &app] {
    const CLI::App& root = *app.get_parent();
    const auto commands = commands_of(root);
    fmt::print("{}", *shell == "bash"  ? bash(command_of(root), commands)
                     : *shell == "zsh" ? zsh(commands)
                                       : fish(commands));
    return 0;
  };
}

Run man(CLI::App& app) {
  app.footer("To read it: backplane man | man -l -");
  return [&app] {
    fmt::print("{}", man_page(*app.get_parent()));
    return 0;
  };
}

}  // namespace cli
