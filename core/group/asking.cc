// SPDX-License-Identifier: Apache-2.0
#include "core/group/asking.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "core/base/descriptor.h"
#include "core/group/wire.h"

namespace bp {
namespace {

using Clock = std::chrono::steady_clock;

int milliseconds_until(Clock::time_point deadline) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left + 1, 0, 60000));
}

// Waits until the descriptor is ready; false when the time is over.
bool await(int fd, short events, Clock::time_point deadline) {
  for (;;) {
    pollfd p{fd, events, 0};
    const int n = ::poll(&p, 1, milliseconds_until(deadline));
    if (n > 0) return true;
    if (n == 0 || errno != EINTR) return false;
  }
}

bool send_all(int fd, const void* data, size_t n, Clock::time_point deadline) {
  const auto* p = static_cast<const char*>(data);
  while (n) {
    const ssize_t k = ::send(fd, p, n, MSG_NOSIGNAL);
    if (k > 0) {
      p += k;
      n -= static_cast<size_t>(k);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!await(fd, POLLOUT, deadline)) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool receive_all(int fd, void* data, size_t n, Clock::time_point deadline) {
  auto* p = static_cast<char*>(data);
  while (n) {
    const ssize_t k = ::recv(fd, p, n, 0);
    if (k > 0) {
      p += k;
      n -= static_cast<size_t>(k);
    } else if (k < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (!await(fd, POLLIN, deadline)) return false;
    } else if (k == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

struct Call {
  Descriptor socket;
  int error = 0;  // ECONNREFUSED and the like; 0 without a socket: it took too long
};

Call connect_to(const Card::Address& address, uint16_t port, Clock::time_point deadline) {
  sockaddr_storage storage{};
  socklen_t length = 0;
  in6_addr six{};
  std::memcpy(&six, address.bytes, sizeof six);
  if (IN6_IS_ADDR_V4MAPPED(&six)) {
    auto& to = reinterpret_cast<sockaddr_in&>(storage);
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    std::memcpy(&to.sin_addr, address.bytes + 12, sizeof to.sin_addr);
    length = sizeof to;
  } else {
    auto& to = reinterpret_cast<sockaddr_in6&>(storage);
    to.sin6_family = AF_INET6;
    to.sin6_port = htons(port);
    to.sin6_addr = six;
    to.sin6_scope_id = address.scope;
    length = sizeof to;
  }
  Call call;
  call.socket =
      Descriptor(::socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!call.socket) return {Descriptor(), errno == EMFILE || errno == ENFILE ? 0 : errno};
  if (::connect(call.socket.fd, reinterpret_cast<sockaddr*>(&storage), length) == 0) return call;
  if (errno != EINPROGRESS && errno != EINTR) return {Descriptor(), errno};
  if (!await(call.socket.fd, POLLOUT, deadline)) return {Descriptor(), 0};
  int error = 0;
  socklen_t size = sizeof error;
  if (::getsockopt(call.socket.fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error) return {Descriptor(), error};
  return call;
}

Answer converse(int fd, const Card& whom, const Secret& secret, std::string_view told,
                Clock::time_point deadline) {
  const Question question{secret.asks, static_cast<uint32_t>(told.size())};
  Head head{};
  if (!send_all(fd, &question, sizeof question, deadline) ||
      !send_all(fd, told.data(), told.size(), deadline) ||
      !receive_all(fd, &head, sizeof head, deadline))
    return {};
  if (!equal_secrets(head.answers, secret.answers) || head.process != whom.process ||
      head.n_text > kMostText || head.state > Standing::kLeft)
    return {};  // somebody else is there
  Answer a{static_cast<Answer::Kind>(head.state), head.n_called};
  a.sentence.resize(head.n_text);
  return receive_all(fd, a.sentence.data(), a.sentence.size(), deadline) ? a : Answer{};
}

Answer converse_with(const Card& whom, int way, const Secret& secret, std::string_view told,
                     std::chrono::milliseconds most) {
  const auto deadline = Clock::now() + most;
  std::vector<Card::Address> ways;
  if (whom.machine == machine_of_process()) ways.push_back(mapped({htonl(INADDR_LOOPBACK)}));
  ways.insert(ways.end(), whom.addresses, whom.addresses + std::min<size_t>(whom.n_addresses, 4));
  Answer a;
  for (int i = 0; i < static_cast<int>(ways.size()); ++i) {
    if (way >= 0 && i != way) continue;
    const Call call = connect_to(ways[static_cast<size_t>(i)], whom.port, deadline);
    if (call.error == ECONNREFUSED) a.kind = Answer::kRefused;
    if (!call.socket) continue;
    a = converse(call.socket.fd, whom, secret, told, deadline);
    a.way = i;
    if (a.kind <= Answer::kLeft) return a;
  }
  return a;
}

}  // namespace

Answer ask(const Card& whom, int way, const Secret& secret, std::chrono::milliseconds most) {
  return converse_with(whom, way, secret, "", most);
}

void tell(const Card& whom, int way, const Secret& secret, std::string_view sentence,
          std::chrono::milliseconds most) {
  converse_with(whom, way, secret, sentence.substr(0, kMostText), most);
}

}  // namespace bp
