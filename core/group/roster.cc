// SPDX-License-Identifier: Apache-2.0
#include "core/group/roster.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <list>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/fnv.h"
#include "core/group/quiet_thread.h"
#include "core/group/wire.h"

namespace bp {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostLeft = 512;

[[noreturn]] void fail_system(const char* what, int error) {
  fail(BP_UNAVAILABLE, "a group's port: {} failed: {}", what,
       std::error_code(error, std::generic_category()).message());
}

// An IPv6 socket takes IPv4 as well; where the system has no IPv6, an IPv4 one.
struct Listener {
  Descriptor socket;
  uint16_t port = 0;
};

Listener listen_on(bool far) {
  Listener l;
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_addr = in6addr_any;
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_addr.s_addr = htonl(far ? INADDR_ANY : INADDR_LOOPBACK);
  const int type = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
  if (far) l.socket = Descriptor(::socket(AF_INET6, type, 0));
  const int off = 0;
  if (l.socket && (::setsockopt(l.socket.fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) != 0 ||
                   ::bind(l.socket.fd, reinterpret_cast<sockaddr*>(&six), sizeof six) != 0))
    l.socket = Descriptor();
  if (!l.socket) {
    l.socket = Descriptor(::socket(AF_INET, type, 0));
    if (!l.socket) fail_system("socket", errno);
    if (::bind(l.socket.fd, reinterpret_cast<sockaddr*>(&four), sizeof four) != 0)
      fail_system("bind", errno);
  }
  if (::listen(l.socket.fd, 128) != 0) fail_system("listen", errno);
  sockaddr_in6 bound{};
  socklen_t length = sizeof bound;
  if (::getsockname(l.socket.fd, reinterpret_cast<sockaddr*>(&bound), &length) != 0)
    fail_system("getsockname", errno);
  l.port = ntohs(bound.sin6_port);  // it lies where sockaddr_in has its own
  return l;
}

// The addresses at which other machines may reach this one.
void list_addresses(Card& card) {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return;
  for (const ifaddrs* i = all; i && card.n_addresses < std::size(card.addresses); i = i->ifa_next) {
    if (!i->ifa_addr || !(i->ifa_flags & IFF_UP) || i->ifa_flags & IFF_LOOPBACK) continue;
    Card::Address& next = card.addresses[card.n_addresses];
    if (i->ifa_addr->sa_family == AF_INET) {
      next = mapped(reinterpret_cast<const sockaddr_in*>(i->ifa_addr)->sin_addr);
      ++card.n_addresses;
    } else if (i->ifa_addr->sa_family == AF_INET6) {
      const auto* six = reinterpret_cast<const sockaddr_in6*>(i->ifa_addr);
      if (IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr)) continue;  // its scope means nothing elsewhere
      std::memcpy(next.bytes, &six->sin6_addr, sizeof next.bytes);
      ++card.n_addresses;
    }
  }
  ::freeifaddrs(all);
}

struct Entry {
  Secret secret;
  std::shared_ptr<Standing> standing;
};
// A group that was left, and as much of why it was broken as fits.
struct Left {
  Secret secret;
  Head head;
  char text[160];
};

// The answering side of the process, which lives until its end. A forked child makes another.
struct Answering {
  std::mutex mutex;
  std::vector<Entry> entries;
  std::unique_ptr<Left[]> left;  // kMostLeft, from the first group on; the oldest is overwritten
  size_t n_left = 0;
  Listener near, far;
  int wakes = -1;  // told when there is another listener
  Answering* of_parent = nullptr;
};
Answering* answering = new Answering;  // nullptr in a child that had no memory for it
Answering& those_who_answer() {
  if (!answering) throw std::bad_alloc();
  return *answering;
}

// What is known of a group; nothing for a secret that is none. The caller holds the mutex.
bool look_up(const Answering& all, const std::array<uint8_t, 16>& asks, Head& head,
             std::string& text) {
  for (const Entry& e : all.entries) {
    if (!equal_secrets(e.secret.asks, asks)) continue;
    head = {e.secret.answers,
            e.standing->state(),
            0,
            e.standing->n_called.load(std::memory_order_acquire),
            0,
            0};
    if (head.state == Standing::kBroken) text = e.standing->sentence().substr(0, kMostText);
    return true;
  }
  for (size_t i = 0; i < std::min(all.n_left, kMostLeft); ++i) {
    if (!equal_secrets(all.left[i].secret.asks, asks)) continue;
    head = all.left[i].head;
    text = all.left[i].text;
    return true;
  }
  return false;
}

// Somebody who asks: at first the question comes in, then the answer goes out.
struct Client {
  Descriptor socket;
  Clock::time_point deadline;
  std::string in{}, out{};
  size_t n_out = 0;
};
constexpr size_t kMostClients = 64;

// What is answered to a question that is there as a whole; "" while it is not. Throws bad_alloc.
std::string answer_to(Answering& all, const std::string& in, bool* refused) {
  Question question{};
  if (in.size() < sizeof question) return "";
  std::memcpy(&question, in.data(), sizeof question);
  *refused = question.n_text > kMostText;
  if (*refused || in.size() < sizeof question + question.n_text) return "";
  Head head{};
  std::string text, told = in.substr(sizeof question, question.n_text);
  {
    const std::lock_guard lock(all.mutex);
    const auto known = std::find_if(all.entries.begin(), all.entries.end(), [&](const Entry& e) {
      return equal_secrets(e.secret.asks, question.asks);
    });
    if (!told.empty() && known != all.entries.end()) known->standing->give_up(std::move(told));
    *refused = !look_up(all, question.asks, head, text);
  }
  head.n_text = static_cast<uint32_t>(text.size());
  head.process = static_cast<uint32_t>(::getpid());
  return *refused ? "" : std::string(reinterpret_cast<const char*>(&head), sizeof head) + text;
}

// Goes on with a client whose socket is ready. Returns false when it is done with.
bool attend(Answering& all, Client& c) {
  if (c.out.empty()) {
    char some[512];
    const ssize_t k = ::recv(c.socket.fd, some, sizeof some, 0);
    if (k <= 0) return k < 0 && (errno == EAGAIN || errno == EINTR);
    c.in.append(some, static_cast<size_t>(k));
    bool refused = c.in.size() > sizeof(Question) + kMostText;
    if (!refused) c.out = answer_to(all, c.in, &refused);
    if (refused) return false;
    if (c.out.empty()) return true;
  }
  const ssize_t k =
      ::send(c.socket.fd, c.out.data() + c.n_out, c.out.size() - c.n_out, MSG_NOSIGNAL);
  if (k < 0) return errno == EAGAIN || errno == EINTR;
  c.n_out += static_cast<size_t>(k);
  return c.n_out < c.out.size();
}

void take_client(std::list<Client>& clients, int listener) {
  Descriptor from(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (from)
    clients.push_back({std::move(from), Clock::now() + std::chrono::seconds(2)});
  else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // no descriptor is free
}

// One round: new clients, as long as there is room, and those that are there.
void serve_round(Answering& all, std::list<Client>& clients) {
  std::vector<pollfd> ready{{all.wakes, POLLIN, 0}};
  {
    const std::lock_guard lock(all.mutex);
    for (const Listener* l : {&all.near, &all.far})
      if (l->socket && clients.size() < kMostClients) ready.push_back({l->socket.fd, POLLIN, 0});
  }
  const size_t n_listeners = ready.size() - 1;
  for (const Client& c : clients)
    ready.push_back({c.socket.fd, static_cast<short>(c.out.empty() ? POLLIN : POLLOUT), 0});
  if (::poll(ready.data(), ready.size(), clients.empty() ? -1 : 100) < 0) return;
  if (ready[0].revents) {
    eventfd_t n = 0;
    ::eventfd_read(all.wakes, &n);
  }
  size_t i = 1 + n_listeners;
  for (auto c = clients.begin(); c != clients.end(); ++i) {
    const bool goes_on = Clock::now() < c->deadline && (!ready[i].revents || attend(all, *c));
    c = goes_on ? std::next(c) : clients.erase(c);
  }
  for (size_t l = 1; l <= n_listeners; ++l)
    if (ready[l].revents) take_client(clients, ready[l].fd);
}

void serve(Answering& all) noexcept {
  std::list<Client> clients;
  for (;;) {
    try {
      serve_round(all, clients);
    } catch (const std::bad_alloc&) {  // whoever asks will ask again
      clients.clear();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

// The caller holds the mutex.
void begin_serving(Answering& all) {
  if (all.wakes >= 0) return;
  const int fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) fail_system("eventfd", errno);
  all.wakes = fd;
  const WithoutSignals here;
  try {
    std::thread([&all] { serve(all); }).detach();
  } catch (const std::system_error& e) {
    ::close(std::exchange(all.wakes, -1));
    fail_system("a thread", e.code().value());
  }
}

}  // namespace

bool Standing::give_up(std::string sentence) noexcept {
  const std::lock_guard lock(mutex_);
  if (state() != kIn) return false;
  sentence_ = std::move(sentence);
  state_.store(kBroken, std::memory_order_release);
  return true;
}

void Standing::leave() noexcept {
  State was = kIn;
  state_.compare_exchange_strong(was, kLeft, std::memory_order_acq_rel);
}

std::string Standing::sentence() const {
  const std::lock_guard lock(mutex_);
  return sentence_;
}

uint64_t machine_of_process() {
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  struct stat network {};
  static_cast<void>(::stat("/proc/self/ns/net", &network));
  Fnv all;
  all.add(boot), all.add(name), all.add(std::to_string(network.st_ino));
  return all.value;
}

Card card_of_process(bool far) {
  Answering& all = those_who_answer();
  const std::lock_guard lock(all.mutex);
  begin_serving(all);
  Listener& l = far ? all.far : all.near;
  if (!l.socket) {
    l = listen_on(far);
    ::eventfd_write(all.wakes, 1);
  }
  Card card{};
  card.machine = machine_of_process();
  card.process = static_cast<uint32_t>(::getpid());
  card.port = l.port;
  if (far) list_addresses(card);
  return card;
}

Secret draw_secret() {
  Secret s{};
  auto* p = reinterpret_cast<uint8_t*>(&s);
  for (size_t done = 0; done < sizeof s;) {
    const ssize_t k = ::getrandom(p + done, sizeof s - done, 0);
    if (k > 0)
      done += static_cast<size_t>(k);
    else if (errno != EINTR)
      fail_system("getrandom", errno);
  }
  return s;
}

void enter_roster(const Secret& secret, std::shared_ptr<Standing> standing) {
  Answering& all = those_who_answer();
  const std::lock_guard lock(all.mutex);
  if (!all.left) all.left = std::make_unique<Left[]>(kMostLeft);
  all.entries.push_back({secret, std::move(standing)});
}

void leave_roster(const Secret& secret) noexcept {
  if (!answering) return;
  Answering& all = *answering;
  const std::lock_guard lock(all.mutex);
  const auto known = std::find_if(all.entries.begin(), all.entries.end(),
                                  [&](const Entry& e) { return e.secret == secret; });
  if (known == all.entries.end()) return;
  Left& place = all.left[all.n_left++ % kMostLeft];
  place = {secret,
           {secret.answers, known->standing->state(), 0,
            known->standing->n_called.load(std::memory_order_acquire), 0, 0},
           ""};
  try {
    known->standing->sentence().copy(place.text, sizeof place.text - 1);
  } catch (const std::bad_alloc&) {  // it goes without
  }
  std::swap(*known, all.entries.back());
  all.entries.pop_back();
}

// Nothing of the parent's is freed, because a thread of it may have been at work there.
void close_roster_in_child() noexcept {
  if (!answering) return;
  for (const int fd : {answering->near.socket.fd, answering->far.socket.fd, answering->wakes})
    if (fd >= 0) ::close(fd);
  Answering* const of_parent = std::exchange(answering, new (std::nothrow) Answering);
  if (answering) answering->of_parent = of_parent;
}

}  // namespace bp
