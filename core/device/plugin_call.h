// SPDX-License-Identifier: Apache-2.0
// plugin_call.h: the way into a plugin. No exception may leave one (c_plugin.h), but a plugin that
// is written in C++ may let one out, and many frames on this side are noexcept. Here it becomes
// what the function could have answered: BP_INTERNAL, or BP_OUT_OF_HOST_MEMORY for std::bad_alloc,
// with an error that names the function and the plugin's file. A function without a status answers
// 0, and the sentence goes to the log.
//
//   bp_error* err = nullptr;
//   bp_pstream* queue = d.main().queue;
//   bp_status status = call_plugin<&bp_plugin_api::stream_sync>(d.backend->api, queue, &err);
#pragma once
#include <string_view>
#include <tuple>
#include <type_traits>

#include "c_plugin.h"

namespace bp {

// The member's own name, as the compiler spells it in this function's.
template <auto kFunction>
constexpr std::string_view member_name() {
  std::string_view name = __PRETTY_FUNCTION__;
  name.remove_prefix(name.find("kFunction = &") + 13);
  name.remove_prefix(name.find("::") + 2);
  return name.substr(0, name.find_first_of(";]"));
}
static_assert(member_name<&bp_plugin_api::copy>() == "copy");

// What to do about the exception in flight, which left the plugin's function at this address.
bp_status plugin_threw(const void* function, std::string_view name, bp_error** err) noexcept;
void log_plugin_threw(const void* function, std::string_view name) noexcept;

// Calls a function of a plugin's table. Where it returns a status, its last argument is a
// bp_error**, which may be NULL.
template <auto kFunction, class Table, class... A>
[[gnu::always_inline]] inline auto call_plugin(const Table& table, A... given) noexcept {
  const auto function = table.*kFunction;
  using Answer = decltype(function(given...));
  try {
    return function(given...);
  } catch (...) {
    const auto* address = reinterpret_cast<const void*>(function);
    constexpr std::string_view kName = member_name<kFunction>();
    if constexpr (std::is_same_v<Answer, bp_status>) {
      bp_error** err = std::get<sizeof...(A) - 1>(std::tie(given...));
      return plugin_threw(address, kName, err);
    } else {
      log_plugin_threw(address, kName);
      return Answer();
    }
  }
}

}  // namespace bp
