// SPDX-License-Identifier: Apache-2.0
// scale.cc: what a program pays as it grows. Prints a line "family size seconds bytes" for each
// size; bench/scale.py fits and draws them. Each family does work that should grow as its size: so
// many live tensors, nodes of a graph, parameters, threads with the same work each, devices.
//
//   bench_scale <largest number of live tensors>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <backplane.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>

namespace {

namespace bp = backplane;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
// Of all threads of the process.
double processor_seconds() {
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(u.ru_utime) + seconds(u.ru_stime);
}
double resident_bytes() {
  long pages = 0, resident = 0;
  if (FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(f);
  }
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void row(const char* family, long size, double seconds, double bytes) {
  std::printf("%s %ld %.9g %.9g\n", family, size, seconds, bytes);
  std::fflush(stdout);
}
// The least of several measurements, each of at least `least` seconds.
double timed(const std::function<void()>& work, int rounds = 5, double least = 0.02) {
  double best = 1e300;
  for (int r = 0; r < rounds; ++r) {
    const double start = now();
    int n = 0;
    do {
      work();
      ++n;
    } while (now() - start < least);
    best = std::min(best, (now() - start) / n);
  }
  return best;
}

void live_tensors(long most) {
  for (long n = 1000; n <= most; n *= 10) {
    const double before = resident_bytes();
    std::vector<bp::Tensor> all;
    all.reserve(static_cast<size_t>(n));
    double start = now();
    for (long i = 0; i < n; ++i) all.push_back(bp::zeros({4}));
    row("making_n_tensors", n, now() - start, resident_bytes() - before);
    const bp::Tensor a = bp::ones({4}), b = bp::ones({4});
    const double op = timed([&] {
      for (int i = 0; i < 1000; ++i) a + b;
    });
    row("n_ops_beside_n_tensors", n, op / 1000 * static_cast<double>(n), 0);
    start = now();
    all.clear();
    row("releasing_n_tensors", n, now() - start, 0);
  }
}

void graphs() {
  for (long n = 100; n <= 1000000; n *= 10) {
    const bp::Tensor x = bp::ones({4}).set_requires_grad(true);
    row("graph_of_n_nodes", n,
        timed(
            [&] {
              bp::Tensor y = x;
              for (long i = 0; i < n; ++i) y = y + x;
              y.sum().backward();
            },
            3),
        0);
  }
}

void parameters() {
  for (long n = 10; n <= 100000; n *= 10) {
    const bp::nn::Sequential net;
    bp::Module all = net;
    double start = now();
    for (long i = 0; i < n / 2; ++i) all.append(bp::nn::Linear(2, 2));
    row("making_n_parameters", n, now() - start, 0);
    std::vector<bp::Tensor> list;
    row("listing_n_parameters", n, timed([&] { list = all.parameters(); }, 3), 0);
    row("state_dict_of_n_parameters", n, timed([&] { all.state_dict(); }, 3), 0);
    for (bp::Tensor& p : list) p.set_grad(bp::ones(p.shape()));
    bp::optim::SGD sgd(list, 0.01);
    row("step_of_n_parameters", n, timed([&] { sgd.step(); }, 3), 0);
  }
}

void threads() {
  constexpr int kOps = 20000;
  for (long n = 1; n <= 64; n *= 2) {
    const double start = processor_seconds();
    std::vector<std::thread> all;
    for (long t = 0; t < n; ++t)
      all.emplace_back([] {
        const bp::Tensor a = bp::ones({4}), b = bp::ones({4});
        for (int i = 0; i < kOps; ++i) a + b;
      });
    for (std::thread& t : all) t.join();
    row("processor_time_of_n_threads", n, processor_seconds() - start, 0);
  }
}

void devices() {
  const long most = bp::device_count(bp_device_kind(bp::Device("sim:0").value()));
  for (long n = 1; n <= most; n *= 2) {
    std::vector<bp::Tensor> a;
    for (long d = 0; d < n; ++d)
      a.push_back(bp::ones({4}).to(bp::Device("sim:" + std::to_string(d))));
    row("n_devices", n, timed([&] {
          for (const bp::Tensor& x : a)
            for (int i = 0; i < 200; ++i) x + x;
          for (const bp::Tensor& x : a) bp::synchronize(x.device());
        }),
        0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    bp::set_num_threads(1);
    bp::nn::Linear(2, 2)(bp::ones({2, 2})).sum().backward();  // what only the first call pays
    live_tensors(argc > 1 ? std::atol(argv[1]) : 10000000);
    graphs();
    parameters();
    threads();
    devices();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_scale: %s\n", e.what());
    return 1;
  }
}
