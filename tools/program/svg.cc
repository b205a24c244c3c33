// SPDX-License-Identifier: Apache-2.0
// svg.cc: a program as a picture; declared in saved.h. Layers are the lengths of the longest ways
// from inputs; within a layer boxes are ordered by where their operands stand (Sugiyama, Tagawa and
// Toda 1981, the barycentre heuristic), in a few sweeps down and up.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "program/saved.h"

namespace cli {
namespace {

constexpr double kLetter = 7.2, kLine = 16, kPad = 10, kAcross = 24, kDown = 44;

struct Box {
  std::string name{}, text{}, more{}, colour{};
  std::size_t layer = 0;
  double x = 0, y = 0, width = 0, order = 0;
  std::vector<std::size_t> from{}, into{};
};

class Picture {
 public:
  explicit Picture(const Saved& saved) : saved_(saved), writer_(saved.buffers.size(), kNone) {
    for (std::size_t i = 0; i < saved.inputs.size(); ++i)
      writer_[saved.inputs[i].buffer] = add(fmt::format("in{}", i), saved.inputs[i].text(),
                                            saved.device_of(saved.inputs[i]), "#d6e6ff");
    for (const Saved::Step& s : saved.steps) add_step(s);
    for (std::size_t i = 0; i < saved.outputs.size(); ++i) {
      const Saved::Place& p = saved.outputs[i];
      const std::size_t box = add(fmt::format("out{}", i), p.text(), saved.device_of(p), "#d5f2d9");
      join(source(p), box);
    }
    place();
  }

  std::string text() const {
    std::string edges, boxes;
    for (const Box& b : boxes_) {
      for (const std::size_t to : b.into) edges += edge(b, boxes_[to]);
      boxes += fmt::format(
          "<g><title>{}</title><rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" "
          "rx=\"4\" fill=\"{}\"/><text x=\"{:.0f}\" y=\"{:.0f}\" font-weight=\"bold\">{}</text>"
          "<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text></g>\n",
          svg_text(b.more), b.x, b.y, b.width, kHeight, b.colour, b.x + b.width / 2, b.y + kLine,
          svg_text(b.name), b.x + b.width / 2, b.y + 2 * kLine, svg_text(b.text));
    }
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"monospace\" font-size=\"12\" "
        "text-anchor=\"middle\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        "<g fill=\"none\" stroke=\"#8a8f98\">\n{2}</g>\n<g stroke-width=\"0\" fill=\"#1b1f24\">\n"
        "{3}</g>\n</svg>\n",
        width_, height_, edges, boxes);
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static constexpr double kHeight = 2 * kLine + kPad;

  std::size_t add(std::string name, std::string text, std::string more, std::string colour) {
    Box b{std::move(name), std::move(text), std::move(more), std::move(colour)};
    b.width = kLetter * static_cast<double>(std::max(b.name.size(), b.text.size())) + 2 * kPad;
    boxes_.push_back(std::move(b));
    return boxes_.size() - 1;
  }
  void join(std::size_t from, std::size_t to) {
    if (std::count(boxes_[from].into.begin(), boxes_[from].into.end(), to)) return;
    boxes_[from].into.push_back(to);
    boxes_[to].from.push_back(from);
    boxes_[to].layer = std::max(boxes_[to].layer, boxes_[from].layer + 1);
  }
  // What last wrote a buffer; a tensor that the program holds is a box of its own until then.
  std::size_t source(const Saved::Place& p) {
    std::size_t& w = writer_[p.buffer];
    if (w == kNone) {
      const Saved::Buffer& b = saved_.buffers[p.buffer];
      w = add(b.tensor.empty() ? b.is : b.tensor,
              b.tensor.empty() ? byte_text(b.bytes) : saved_.held.at(b.tensor), b.device,
              "#ececec");
    }
    return w;
  }
  void add_step(const Saved::Step& s) {
    std::vector<std::size_t> sources;
    std::string numbers;
    for (const Saved::Operand& o : s.in) {
      if (o.is_place)
        sources.push_back(source(o.place));
      else
        numbers += " " + o.number;
    }
    const std::size_t box = add(s.name + numbers, s.out.empty() ? "in place" : s.out[0].text(),
                                s.device + (s.attrs.empty() ? "" : ": " + s.attrs), "#fff3d6");
    for (const std::size_t from : sources) join(from, box);
    for (const Saved::Place& p : s.out) writer_[p.buffer] = box;
    for (const Saved::Operand& o : s.in)
      if (s.in_place && o.is_place) writer_[o.place.buffer] = box;
  }

  void place() {
    // What nothing leads to stands right above what takes it first.
    for (Box& b : boxes_) {
      if (!b.from.empty() || b.into.empty()) continue;
      std::size_t first = boxes_[b.into[0]].layer;
      for (const std::size_t to : b.into) first = std::min(first, boxes_[to].layer);
      if (first > 0) b.layer = first - 1;
    }
    std::size_t deepest = 0;
    for (const Box& b : boxes_) deepest = std::max(deepest, b.layer);
    std::vector<std::vector<std::size_t>> layers(deepest + 1);
    for (std::size_t i = 0; i < boxes_.size(); ++i) layers[boxes_[i].layer].push_back(i);
    for (auto& layer : layers) number(layer);
    for (int sweep = 0; sweep < 6; ++sweep) {
      const bool down = sweep % 2 == 0;
      for (std::size_t k = 0; k < layers.size(); ++k)
        sort(layers[down ? k : layers.size() - 1 - k], down);
    }
    for (const auto& layer : layers) {
      double x = kAcross;
      for (const std::size_t i : layer) {
        boxes_[i].x = x;
        x += boxes_[i].width + kAcross;
      }
      width_ = std::max(width_, x);
    }
    double y = kAcross;
    for (const auto& layer : layers) {
      double end = 0;
      for (const std::size_t i : layer) end = boxes_[i].x + boxes_[i].width + kAcross;
      for (const std::size_t i : layer) boxes_[i].x += (width_ - end) / 2, boxes_[i].y = y;
      y += kHeight + kDown;
    }
    height_ = y - kDown + kAcross;
  }
  void number(const std::vector<std::size_t>& layer) {
    for (std::size_t k = 0; k < layer.size(); ++k)
      boxes_[layer[k]].order = (static_cast<double>(k) + 0.5) / static_cast<double>(layer.size());
  }
  void sort(std::vector<std::size_t>& layer, bool down) {
    const auto mean = [&](std::size_t i) {
      const auto& others = down ? boxes_[i].from : boxes_[i].into;
      if (others.empty()) return boxes_[i].order;
      const double sum =
          std::accumulate(others.begin(), others.end(), 0.0,
                          [&](double s, std::size_t o) { return s + boxes_[o].order; });
      return sum / static_cast<double>(others.size());
    };
    std::vector<std::pair<double, std::size_t>> keys;
    for (const std::size_t i : layer) keys.emplace_back(mean(i), i);
    std::stable_sort(keys.begin(), keys.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t k = 0; k < layer.size(); ++k) layer[k] = keys[k].second;
    number(layer);
  }

  static std::string edge(const Box& a, const Box& b) {
    const double x0 = a.x + a.width / 2, y0 = a.y + kHeight, x1 = b.x + b.width / 2, y1 = b.y,
                 bend = (y1 - y0) / 2;
    return fmt::format("<path d=\"M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}\"/>\n",
                       x0, y0, x0, y0 + bend, x1, y1 - bend, x1, y1);
  }

  const Saved& saved_;
  std::vector<Box> boxes_;
  std::vector<std::size_t> writer_;
  double width_ = 0, height_ = 0;
};

}  // namespace

std::string svg_of(const Saved& saved) { return Picture(saved).text(); }

}  // namespace cli
