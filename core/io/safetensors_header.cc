// SPDX-License-Identifier: Apache-2.0
#include "core/io/safetensors_header.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "core/base/error.h"
#include "core/base/shown.h"
#include "core/io/dtype_codes.h"
#include "core/io/refuse.h"

namespace bp {
namespace {

constexpr const char* kMetadata = "__metadata__";

bp_dtype dtype_named(const std::string& tensor, std::string_view text) {
  for (const DtypeCodes& c : kDtypeCodes)
    if (c.safetensors && text == c.safetensors) return c.dtype;
  // the format also has F8_E4M3, F8_E5M2, F8_E8M0, F6_E2M3, F6_E3M2 and F4
  if (text.size() >= 2 && text[0] == 'F' && (text[1] == '8' || text[1] == '6' || text[1] == '4') &&
      (text.size() == 2 || text[2] == '_'))
    fail(BP_UNSUPPORTED, "tensor '{}' has dtype {}, which is not supported", shown(tensor),
         shown(text));
  refuse("tensor '{}' has dtype '{}', which is not known", shown(tensor), shown(text));
}

// Is told of each word of the JSON as it is read (nlohmann's SAX interface). What does not belong
// where it stands ends the reading at once, so that nesting and size cost nothing and a name that
// comes twice is seen.
class Reader {
 public:
  explicit Reader(SafetensorsHeader& out) : out_(out) {}

  bool start_object(size_t) {
    switch (place_) {
      case kStart: place_ = kTop; return true;
      case kValue:
        place_ = in_metadata_ ? kTexts : kTensor;
        seen_ = 0;
        return true;
      default: misplaced("an object");
    }
  }
  bool end_object() {
    if (place_ == kTensor) finish_tensor();
    place_ = place_ == kTop ? kEnd : kTop;
    return true;
  }
  bool key(std::string& text) {
    if (text.find('\0') != std::string::npos) refuse("a name holds a zero byte");
    if (place_ == kTop)
      start_value(text);
    else if (place_ == kTexts)
      start_text(text);
    else
      start_field(text);
    return true;
  }
  bool string(std::string& text) {
    if (place_ == kText) {
      if (text.find('\0') != std::string::npos)
        refuse("the metadata '{}' holds a zero byte", shown(out_.metadata.back().first));
      out_.metadata.back().second = std::move(text);
      place_ = kTexts;
    } else if (place_ == kDtype) {
      current().dtype = dtype_named(current().name, text);
      place_ = kTensor;
    } else {
      misplaced("text");
    }
    return true;
  }
  bool start_array(size_t) {
    if (place_ == kShape)
      place_ = kSizes;
    else if (place_ == kOffsets)
      place_ = kPair;
    else
      misplaced("an array");
    n_offsets_ = 0;
    return true;
  }
  bool end_array() {
    if (place_ == kPair && n_offsets_ != 2)
      refuse("tensor '{}' has {} data_offsets, expected 2", shown(current().name), n_offsets_);
    place_ = kTensor;
    return true;
  }
  bool number_unsigned(uint64_t n) {
    if (place_ == kSizes) {
      if (n > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
        refuse("tensor '{}' has a size of {}", shown(current().name), n);
      if (current().shape.size() == BP_MAX_RANK)
        refuse("tensor '{}' has more than {} dimensions", shown(current().name), +BP_MAX_RANK);
      current().shape.push_back(static_cast<int64_t>(n));
    } else if (place_ == kPair && n_offsets_ < 2) {
      (n_offsets_++ ? current().end : current().begin) = n;
    } else {
      misplaced("a number");
    }
    return true;
  }
  bool number_integer(int64_t) { misplaced("a negative number"); }
  bool number_float(double, const std::string&) {
    misplaced("a fraction or a number beyond 64 bits");
  }
  bool null() { misplaced("a null"); }
  bool boolean(bool) { misplaced("a truth value"); }
  bool binary(std::vector<uint8_t>&) { misplaced("bytes"); }
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) {
    refuse("the header is not JSON: it goes wrong at byte {} of it", position);
  }

 private:
  enum Place {
    kStart,
    kTop,
    kValue,
    kTexts,
    kText,
    kTensor,
    kDtype,
    kShape,
    kSizes,
    kOffsets,
    kPair,
    kEnd
  };
  enum Field { kHasDtype = 1, kHasShape = 2, kHasOffsets = 4 };

  SafetensorsHeader::Record& current() { return out_.tensors.back(); }
  void start_value(const std::string& name) {
    if (!names_.insert(name).second) refuse("the name '{}' comes twice", shown(name));
    in_metadata_ = name == kMetadata;
    if (!in_metadata_) out_.tensors.emplace_back().name = name;
    place_ = kValue;
  }
  void start_text(const std::string& key) {
    if (!keys_.insert(key).second) refuse("the metadata '{}' comes twice", shown(key));
    out_.metadata.emplace_back(key, "");
    place_ = kText;
  }
  void start_field(std::string_view name) {
    const auto enter = [&](Field field, Place place) {
      if (seen_ & field) refuse("tensor '{}' has its {} twice", shown(current().name), name);
      seen_ |= field;
      place_ = place;
    };
    if (name == "dtype")
      enter(kHasDtype, kDtype);
    else if (name == "shape")
      enter(kHasShape, kShape);
    else if (name == "data_offsets")
      enter(kHasOffsets, kOffsets);
    else
      refuse("tensor '{}' has a field '{}', which is not known", shown(current().name),
             shown(name));
  }
  void finish_tensor() {
    for (const auto& [field, name] :
         {std::pair{kHasDtype, "dtype"}, {kHasShape, "shape"}, {kHasOffsets, "data_offsets"}})
      if (!(seen_ & field)) refuse("tensor '{}' has no {}", shown(current().name), name);
  }
  [[noreturn]] void misplaced(const char* what) {
    switch (place_) {
      case kStart: refuse("the header is {}, expected an object", what);
      case kText:
        refuse("the metadata '{}' is {}, expected text", shown(out_.metadata.back().first), what);
      case kDtype: refuse("tensor '{}' has {} for a dtype", shown(current().name), what);
      case kShape:
      case kSizes: refuse("tensor '{}' has {} in its shape", shown(current().name), what);
      case kOffsets:
      case kPair:
        refuse("tensor '{}' has {} in its data_offsets, expected two numbers",
               shown(current().name), what);
      default:
        refuse("'{}' is {}, expected an object", in_metadata_ ? kMetadata : shown(current().name),
               what);
    }
  }

  SafetensorsHeader& out_;
  Place place_ = kStart;
  bool in_metadata_ = false;
  int seen_ = 0, n_offsets_ = 0;
  std::unordered_set<std::string> names_, keys_;
};

void check_bytes(const SafetensorsHeader::Record& r) {
  uint64_t wanted = 0;
  try {
    wanted = checked_bytes(r.shape, dtype_bytes(r.dtype));
  } catch (const Error& e) {
    refuse("tensor '{}': {}", shown(r.name), e.message());
  }
  if (r.end < r.begin || r.end - r.begin != wanted)
    refuse("tensor '{}' is of {} bytes ({} {}), but its data_offsets are [{}, {}]", shown(r.name),
           wanted, format_shape(r.shape), dtype_name(r.dtype), r.begin, r.end);
}

// The tensors' bytes must follow one another without a gap, from 0 to the end.
void check_order(const SafetensorsHeader& header, uint64_t data_bytes) {
  std::vector<const SafetensorsHeader::Record*> by_place;
  by_place.reserve(header.tensors.size());
  for (const auto& r : header.tensors) by_place.push_back(&r);
  std::sort(by_place.begin(), by_place.end(), [](const auto* a, const auto* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  uint64_t at = 0;
  for (const auto* r : by_place) {
    if (r->begin != at)
      refuse("tensor '{}' begins at byte {} of the data, but the one before it ends at {}",
             shown(r->name), r->begin, at);
    at = r->end;
  }
  if (at != data_bytes)
    refuse("the tensors take {} bytes, but {} follow the header", at, data_bytes);
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view json, uint64_t data_bytes) {
  if (json.empty() || json.front() != '{') refuse("the header does not begin with '{{'");
  // the JSON reader would take it for the end
  if (json.find('\0') != std::string_view::npos) refuse("the header holds a zero byte");
  SafetensorsHeader header;
  Reader reader(header);
  nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
  for (const auto& r : header.tensors) check_bytes(r);
  check_order(header, data_bytes);
  return header;
}

std::string print_safetensors_header(const SafetensorsHeader& header) {
  const auto quoted = [](const std::string& text) { return nlohmann::json(text).dump(); };
  std::string text = "{";
  if (!header.metadata.empty()) {
    text += quoted(kMetadata) + ":{";
    for (const auto& [key, value] : header.metadata)
      text += quoted(key) + ':' + quoted(value) + ',';
    text.back() = '}';
    text += ',';
  }
  for (const auto& r : header.tensors) {
    if (r.name == kMetadata)
      refuse("a tensor cannot be named '{}' in a safetensors file", kMetadata);
    const char* named = kDtypeCodes[r.dtype].safetensors;
    if (!named)
      fail(BP_UNSUPPORTED, "tensor '{}' is {}, which safetensors files cannot hold", shown(r.name),
           dtype_name(r.dtype));
    text += fmt::format("{}:{{\"dtype\":\"{}\",\"shape\":{},\"data_offsets\":[{},{}]}},",
                        quoted(r.name), named, format_shape(r.shape), r.begin, r.end);
  }
  if (text.back() == ',')
    text.back() = '}';
  else
    text += '}';
  text.append((8 - text.size() % 8) % 8, ' ');
  if (text.size() > kMaxSafetensorsHeader)
    refuse("the names take a header of {} bytes, at most {} are possible", text.size(),
           kMaxSafetensorsHeader);
  return text;
}

}  // namespace bp
