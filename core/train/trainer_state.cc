// SPDX-License-Identifier: Apache-2.0
// trainer_state.cc: what a trainer's run depends on, as a dict, and back; declared in trainer.h.
// The names are in c_train.h.
#include <algorithm>
#include <charconv>

#include "core/base/error.h"
#include "core/device/device.h"
#include "core/io/safetensors.h"
#include "core/optim/state.h"
#include "core/train/checkpoint.h"
#include "core/train/trainer.h"

using namespace bp;

namespace {

void put_number(Dict& d, const std::string& key, uint64_t n) { d.set_meta(key, std::to_string(n)); }

uint64_t number_in(const Dict& d, const std::string& key) {
  const std::string_view text = d.meta(key);
  uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    fail(BP_INVALID_ARGUMENT, "{} is '{}', expected a number", key, text);
  return n;
}

// Returns the entries of `from` whose names begin with the prefix, without it.
Ref<Dict> under(const Dict& from, std::string_view prefix) {
  Ref<Dict> part = new_dict();
  for (const auto& [name, tensor] : from.entries())
    if (name.starts_with(prefix)) part->set(name.substr(prefix.size()), tensor);
  for (const auto& [key, text] : from.meta_entries())
    if (key.starts_with(prefix)) part->set_meta(key.substr(prefix.size()), text);
  return part;
}

void put_under(Dict& into, const std::string& prefix, const Dict& part) {
  for (const auto& [name, tensor] : part.entries()) into.set(prefix + name, tensor);
  for (const auto& [key, text] : part.meta_entries()) into.set_meta(prefix + key, text);
}

struct Drawn {
  std::string name;
  bp_generator* generator;
};
// Named by number and not by device, because a run may go on on devices of another kind.
std::vector<Drawn> generators(const std::vector<TrainedModel>& models) {
  std::vector<Drawn> all{{"trainer.generator.cpu", cpu_device().generator.get()}};
  for (size_t i = 0; i < models.size(); ++i)
    all.push_back({"trainer.generator." + std::to_string(i), models[i].device->generator.get()});
  return all;
}

std::string of_member(const std::string& generator, size_t rank) {
  return fmt::format("{}.rank.{}", generator, rank);
}

}  // namespace

Ref<Dict> bp_trainer::state() {
  const std::lock_guard lock(mutex_);
  const TrainedModel& m = models.front();
  Ref<Dict> d = state_dict(*m.module, "model.");
  for (const TrainedModel& one : models)  // each has a part of it, or all have the same
    if (shards || &one == &m) put_under(*d, "optimizer.", *state_of(*one.optimizer));
  if (m.schedule) put_under(*d, "", *state_of(*m.schedule));
  const Place p = loader->place();
  put_number(*d, "trainer.epoch", epoch());
  put_number(*d, "trainer.loader.epoch", p.epoch);
  put_number(*d, "trainer.loader.batch", p.batch);
  put_number(*d, "trainer.loader.seed", p.seed);
  for (const Drawn& g : generators(models)) {
    const bp_generator::State now = g.generator->state();
    put_number(*d, g.name + ".seed", now.seed);
    put_number(*d, g.name + ".offset", now.offset);
  }
  return d;
}

Ref<Dict> bp_trainer::state_of_all() {
  Ref<Dict> d = state();
  if (!group) return d;
  const std::vector<Drawn> own = generators(models);
  std::vector<bp_generator::State> mine;
  for (const Drawn& g : own) mine.push_back(g.generator->state());
  std::vector<bp_generator::State> all(mine.size() * group->size());
  all_gather_bytes(*group, mine.data(), mine.size() * sizeof mine[0], all.data());
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string name = of_member(own[i % own.size()].name, i / own.size());
    put_number(*d, name + ".seed", all[i].seed);
    put_number(*d, name + ".offset", all[i].offset);
  }
  return d;
}

void bp_trainer::save(const std::string& path, const Dict* extra) {
  const std::lock_guard lock(mutex_);
  told([&] { save_here(path, extra); });
}

void bp_trainer::save_here(const std::string& path, const Dict* extra) {
  average_buffers();
  const Ref<Dict> all = state_of_all();
  if (extra && (!group || group->rank() == 0)) put_under(*all, "", *extra);
  if (!group) return save_safetensors(*all, path);
  if (shards) {
    const Ref<Dict> index = new_dict(), part = new_dict();
    for (const auto& [name, tensor] : all->entries())
      (name.starts_with("optimizer.") ? part : index)->set(name, tensor);
    for (const auto& [key, text] : all->meta_entries()) index->set_meta(key, text);
    return save_checkpoint(*index, *part, *group, path);
  }
  if (group->rank() == 0) save_safetensors(*all, path);
  wait(*barrier(*group, /*timeout_ns=*/0));
}

void bp_trainer::load(const Dict& from) {
  if (running_) fail(BP_BAD_STATE, "the trainer is running");
  need_whole(from);
  const std::lock_guard lock(mutex_);
  const uint64_t epochs = number_in(from, "trainer.epoch");
  Place place{number_in(from, "trainer.loader.epoch"), number_in(from, "trainer.loader.batch"),
              number_in(from, "trainer.loader.seed")};
  const Ref<Dict> weights = under(from, "model."), steps = under(from, "optimizer.");
  for (TrainedModel& m : models) {
    load_state_dict(*m.module, *weights, /*strict=*/true, /*assign=*/false);
    load_state(*m.optimizer, *steps);
    if (m.schedule) load_state(*m.schedule, from);
  }
  // Members may have loaders of other lengths than the one whose place was kept.
  if (group) place.batch = std::min(place.batch, static_cast<uint64_t>(loader->length()));
  loader->set_place(place);
  const auto texts = from.meta_entries();
  const auto knows = [&](const std::string& name) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const auto& e) { return e.name == name + ".seed"; });
  };
  for (const Drawn& g : generators(models)) {
    std::string name = group ? of_member(g.name, group->rank()) : g.name;
    if (!knows(name)) name = g.name;  // of a run with fewer members
    if (knows(name))
      g.generator->set_state(number_in(from, name + ".seed"), number_in(from, name + ".offset"));
  }
  epoch_ = epochs;
  reset_sums();
}
