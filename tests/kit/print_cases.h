// SPDX-License-Identifier: Apache-2.0
// print_cases.h: what PyTorch prints. The texts are repr() of the same tensors in PyTorch 1.13.1
// (Debian's python3-torch), with torch.set_printoptions where a case names options.
#pragma once
#include <cmath>
#include <cstdint>
#include <ostream>
#include <type_traits>
#include <utility>
#include <vector>

#include "c_api.h"

namespace print_cases {

constexpr double kNan = NAN, kInf = INFINITY;

// Whole numbers (of f16 and bf16: bit patterns), real numbers (of complex: real and imaginary
// alternate), or n steps from 0.
struct Values {
  std::vector<int64_t> whole;
  std::vector<double> real;
  int64_t ramp = 0;
  double step = 1;
};
inline Values whole(std::vector<int64_t> v) { return {std::move(v), {}}; }
inline Values real(std::vector<double> v) { return {{}, std::move(v)}; }
inline Values ramp(int64_t n, double step) { return {{}, {}, n, step}; }

struct Options {
  int32_t precision = 4;
  int64_t threshold = 1000;
  int32_t edge_items = 3, line_width = 80, sci_mode = -1;

  bp_print_options c_struct() const {
    return {sizeof(bp_print_options), precision, threshold, edge_items, line_width, sci_mode, 0};
  }
};

// One element more: `real` as a floating dtype, else `whole`.
template <class T>
void put(std::vector<char>& bytes, double real, int64_t whole) {
  const T value = std::is_floating_point_v<T> ? static_cast<T>(real) : static_cast<T>(whole);
  const auto* p = reinterpret_cast<const char*>(&value);
  bytes.insert(bytes.end(), p, p + sizeof value);
}

inline void put_as(bp_dtype dtype, std::vector<char>& bytes, double real, int64_t whole) {
  switch (dtype) {
    case BP_BOOL:
    case BP_U8: return put<uint8_t>(bytes, real, whole);
    case BP_I8: return put<int8_t>(bytes, real, whole);
    case BP_U16:
    case BP_F16:
    case BP_BF16: return put<uint16_t>(bytes, real, whole);
    case BP_I16: return put<int16_t>(bytes, real, whole);
    case BP_U32: return put<uint32_t>(bytes, real, whole);
    case BP_I32: return put<int32_t>(bytes, real, whole);
    case BP_U64: return put<uint64_t>(bytes, real, whole);
    case BP_I64: return put<int64_t>(bytes, real, whole);
    case BP_F32:
    case BP_C64: return put<float>(bytes, real, whole);
    default: return put<double>(bytes, real, whole);
  }
}

struct Case {
  const char* name;
  bp_dtype dtype;
  std::vector<int64_t> shape;
  Values values;
  Options options;
  const char* text;

  // The elements as the dtype has them.
  std::vector<char> bytes() const {
    std::vector<char> all;
    for (const int64_t v : values.whole) put_as(dtype, all, 0, v);
    for (const double v : values.real) put_as(dtype, all, v, 0);
    for (int64_t i = 0; i < values.ramp; ++i) {
      const double v = static_cast<double>(i) * values.step;
      put_as(dtype, all, v, static_cast<int64_t>(v));
    }
    return all;
  }
};
inline std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

// clang-format off
inline const std::vector<Case> kCases = {
    {"OneFloat", BP_F32, {}, real({1.0}), {}, R"(tensor(1.))"},
    {"OneFraction", BP_F32, {}, real({3.14159265}), {}, R"(tensor(3.1416))"},
    {"OneInteger", BP_I64, {}, whole({7}), {}, R"(tensor(7))"},
    {"OneBool", BP_BOOL, {}, whole({1}), {}, R"(tensor(True))"},
    {"OneTiny", BP_F32, {}, real({1e-05}), {}, R"(tensor(1.0000e-05))"},
    {"OneComplex", BP_C64, {}, real({1.5, -2.0}), {}, R"(tensor(1.5000-2.j))"},
    {"NegativeZero", BP_F32, {2}, real({-0.0, 1.5}), {}, R"(tensor([-0.0000, 1.5000]))"},
    {"WholeFloats", BP_F32, {3}, real({1.0, 2.0, 3.0}), {}, R"(tensor([1., 2., 3.]))"},
    {"Fractions", BP_F32, {3}, real({1.5, -2.25, 100.125}), {},
     R"(tensor([  1.5000,  -2.2500, 100.1250]))"},
    {"HalfToEven", BP_F32, {4}, real({0.03125, 0.09375, 0.06255, 2.5}), {},
     R"(tensor([0.0312, 0.0938, 0.0626, 2.5000]))"},
    {"AllZero", BP_F32, {3}, real({0.0, 0.0, 0.0}), {}, R"(tensor([0., 0., 0.]))"},
    {"Bools", BP_BOOL, {4}, whole({1, 0, 0, 1}), {}, R"(tensor([ True, False, False,  True]))"},
    {"Bytes", BP_U8, {3}, whole({0, 7, 255}), {}, R"(tensor([  0,   7, 255], dtype=torch.uint8))"},
    {"SmallSigned", BP_I8, {3}, whole({-128, 0, 127}), {},
     R"(tensor([-128,    0,  127], dtype=torch.int8))"},
    {"Shorts", BP_I16, {2, 2}, whole({1, -20, 300, -4000}), {},
     R"(tensor([[    1,   -20],
        [  300, -4000]], dtype=torch.int16))"},
    {"Ints", BP_I32, {2}, whole({-2147483648, 2147483647}), {},
     R"(tensor([-2147483648,  2147483647], dtype=torch.int32))"},
    {"Longs", BP_I64, {3}, whole({INT64_MIN, 0, 9223372036854775807}), {},
     R"(tensor([-9223372036854775808,                    0,  9223372036854775807]))"},
    {"Halves", BP_F16, {4}, whole({0x3800, 0x7bff, 0x8001, 0}), {},
     R"(tensor([ 5.0000e-01,  6.5504e+04, -5.9605e-08,  0.0000e+00],
       dtype=torch.float16))"},
    {"HalfSpecials", BP_F16, {3}, whole({0x7c00, 0x7e00, 0xbe00}), {},
     R"(tensor([    inf,     nan, -1.5000], dtype=torch.float16))"},
    {"HalvesWhole", BP_F16, {2}, whole({0x3c00, 0x4000}), {},
     R"(tensor([1., 2.], dtype=torch.float16))"},
    {"Bfloats", BP_BF16, {3}, whole({0x3f80, 0x4049, 0xbb00}), {},
     R"(tensor([ 1.0000e+00,  3.1406e+00, -1.9531e-03], dtype=torch.bfloat16))"},
    {"Doubles", BP_F64, {3}, real({0.1, 0.3333333333333333, -2.0}), {},
     R"(tensor([ 0.1000,  0.3333, -2.0000], dtype=torch.float64))"},
    {"ScientificByRange", BP_F32, {3}, real({0.001, 1.5, 10000.0}), {},
     R"(tensor([1.0000e-03, 1.5000e+00, 1.0000e+04]))"},
    {"ScientificBySize", BP_F32, {2}, real({1500000000.0, 2500000000.0}), {},
     R"(tensor([1.5000e+09, 2.5000e+09]))"},
    {"ScientificBySmallness", BP_F32, {2}, real({5e-05, 6e-05}), {},
     R"(tensor([5.0000e-05, 6.0000e-05]))"},
    {"ScientificWhole", BP_F32, {3}, real({1.0, 10.0, 100000.0}), {},
     R"(tensor([1.0000e+00, 1.0000e+01, 1.0000e+05]))"},
    {"JustNotScientific", BP_F32, {2}, real({1.0, 1000.0}), {}, R"(tensor([   1., 1000.]))"},
    {"WholeAtTheLimit", BP_F32, {2}, real({100000000.0, 100000000.0}), {},
     R"(tensor([100000000., 100000000.]))"},
    {"WholeTinyRatio", BP_F64, {2}, real({123456789.0, 123456790.0}), {},
     R"(tensor([1.2346e+08, 1.2346e+08], dtype=torch.float64))"},
    {"BigExponent", BP_F64, {3}, real({1e+300, -1e-300, 0.0}), {},
     R"(tensor([ 1.0000e+300, -1.0000e-300,   0.0000e+00], dtype=torch.float64))"},
    {"Specials", BP_F32, {4}, real({kNan, kInf, -kInf, 1.0}), {},
     R"(tensor([nan, inf, -inf, 1.]))"},
    {"SpecialsOnly", BP_F32, {3}, real({kNan, kInf, -kInf}), {}, R"(tensor([nan, inf, -inf]))"},
    {"SpecialsFraction", BP_F32, {4}, real({kNan, -kInf, 0.5, -100.25}), {},
     R"(tensor([      nan,      -inf,    0.5000, -100.2500]))"},
    {"SpecialsScientific", BP_F32, {4}, real({kNan, -kInf, 1e-06, 1.0}), {},
     R"(tensor([       nan,       -inf, 1.0000e-06, 1.0000e+00]))"},
    {"Matrix", BP_F32, {2, 3}, real({1.0, 2.0, 3.0, 4.0, 5.0, -6.0}), {},
     R"(tensor([[ 1.,  2.,  3.],
        [ 4.,  5., -6.]]))"},
    {"MatrixFractions", BP_F64, {2, 2}, real({1.25, -10.5, 3.0, 4.0}), {},
     R"(tensor([[  1.2500, -10.5000],
        [  3.0000,   4.0000]], dtype=torch.float64))"},
    {"Cube", BP_I64, {2, 2, 2}, whole({1, 2, 3, 4, 5, 6, 7, 8}), {},
     R"(tensor([[[1, 2],
         [3, 4]],

        [[5, 6],
         [7, 8]]]))"},
    {"FourDims", BP_F32, {2, 1, 2, 2}, real({1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0}), {},
     R"(tensor([[[[1., 2.],
          [3., 4.]]],


        [[[5., 6.],
          [7., 8.]]]]))"},
    {"Complexes", BP_C64, {3}, real({1.0, 2.0, -3.5, 0.25, 0.0, -0.0}), {},
     R"(tensor([ 1.0000+2.0000j, -3.5000+0.2500j,  0.0000-0.0000j]))"},
    {"ComplexSpecials", BP_C64, {2}, real({kNan, kInf, 1.0, kNan}), {},
     R"(tensor([nan+infj, 1.+nanj]))"},
    {"ComplexScientific", BP_C128, {2}, real({1e-07, 1000000000.0, 1.0, 2.0}), {},
     R"(tensor([1.0000e-07+1.0000e+09j, 1.0000e+00+2.0000e+00j],
       dtype=torch.complex128))"},
    {"ComplexMatrix", BP_C64, {2, 2}, real({1.0, 1.0, 2.0, -2.0, 3.0, 3.0, 4.0, -4.0}), {},
     R"(tensor([[1.+1.j, 2.-2.j],
        [3.+3.j, 4.-4.j]]))"},
    {"Empty0", BP_F32, {0}, real({}), {}, R"(tensor([]))"},
    {"Empty0x3", BP_F32, {0, 3}, real({}), {}, R"(tensor([], size=(0, 3)))"},
    {"Empty2x0x3", BP_F32, {2, 0, 3}, real({}), {}, R"(tensor([], size=(2, 0, 3)))"},
    {"EmptyLong", BP_I64, {0}, whole({}), {}, R"(tensor([], dtype=torch.int64))"},
    {"EmptyBool", BP_BOOL, {0, 2}, whole({}), {}, R"(tensor([], size=(0, 2), dtype=torch.bool))"},
    {"EmptyHalf", BP_F16, {3, 0}, real({}), {}, R"(tensor([], size=(3, 0), dtype=torch.float16))"},
    {"WrapsLines", BP_F32, {30}, ramp(30, 1.0), {},
     R"(tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,
        14., 15., 16., 17., 18., 19., 20., 21., 22., 23., 24., 25., 26., 27.,
        28., 29.]))"},
    {"WrapsFractions", BP_F32, {25}, ramp(25, 0.25), {},
     R"(tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000, 1.2500, 1.5000, 1.7500, 2.0000,
        2.2500, 2.5000, 2.7500, 3.0000, 3.2500, 3.5000, 3.7500, 4.0000, 4.2500,
        4.5000, 4.7500, 5.0000, 5.2500, 5.5000, 5.7500, 6.0000]))"},
    {"WrapsRows", BP_I64, {2, 40}, ramp(80, 1), {},
     R"(tensor([[ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,
         18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,
         36, 37, 38, 39],
        [40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57,
         58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75,
         76, 77, 78, 79]]))"},
    {"WrapsComplex", BP_C64, {9}, ramp(18, 0.5), {},
     R"(tensor([0.+0.5000j, 1.+1.5000j, 2.+2.5000j, 3.+3.5000j, 4.+4.5000j, 5.+5.5000j,
        6.+6.5000j, 7.+7.5000j, 8.+8.5000j]))"},
    {"SuffixOnItsOwnLine", BP_F64, {9}, ramp(9, 0.123), {},
     R"(tensor([0.0000, 0.1230, 0.2460, 0.3690, 0.4920, 0.6150, 0.7380, 0.8610, 0.9840],
       dtype=torch.float64))"},
    {"SuffixJustFits", BP_F64, {12}, ramp(12, 1.0), {},
     R"(tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11.],
       dtype=torch.float64))"},
    {"AtTheThreshold", BP_I64, {8}, ramp(8, 1), {.threshold = 8},
     R"(tensor([0, 1, 2, 3, 4, 5, 6, 7]))"},
    {"Summarised", BP_F32, {1001}, ramp(1001, 1.0), {},
     R"(tensor([   0.,    1.,    2.,  ...,  998.,  999., 1000.]))"},
    {"SummarisedLongs", BP_I64, {2000}, ramp(2000, 1), {},
     R"(tensor([   0,    1,    2,  ..., 1997, 1998, 1999]))"},
    {"SummarisedMatrix", BP_F32, {40, 50}, ramp(2000, 0.5), {},
     R"(tensor([[0.0000e+00, 5.0000e-01, 1.0000e+00,  ..., 2.3500e+01, 2.4000e+01,
         2.4500e+01],
        [2.5000e+01, 2.5500e+01, 2.6000e+01,  ..., 4.8500e+01, 4.9000e+01,
         4.9500e+01],
        [5.0000e+01, 5.0500e+01, 5.1000e+01,  ..., 7.3500e+01, 7.4000e+01,
         7.4500e+01],
        ...,
        [9.2500e+02, 9.2550e+02, 9.2600e+02,  ..., 9.4850e+02, 9.4900e+02,
         9.4950e+02],
        [9.5000e+02, 9.5050e+02, 9.5100e+02,  ..., 9.7350e+02, 9.7400e+02,
         9.7450e+02],
        [9.7500e+02, 9.7550e+02, 9.7600e+02,  ..., 9.9850e+02, 9.9900e+02,
         9.9950e+02]]))"},
    {"SummarisedOneWay", BP_I32, {2, 600}, ramp(1200, 1), {},
     R"(tensor([[   0,    1,    2,  ...,  597,  598,  599],
        [ 600,  601,  602,  ..., 1197, 1198, 1199]], dtype=torch.int32))"},
    {"SummarisedTall", BP_I64, {600, 2}, ramp(1200, 1), {},
     R"(tensor([[   0,    1],
        [   2,    3],
        [   4,    5],
        ...,
        [1194, 1195],
        [1196, 1197],
        [1198, 1199]]))"},
    {"SummarisedCube", BP_I64, {10, 11, 12}, ramp(1320, 1), {},
     R"(tensor([[[   0,    1,    2,  ...,    9,   10,   11],
         [  12,   13,   14,  ...,   21,   22,   23],
         [  24,   25,   26,  ...,   33,   34,   35],
         ...,
         [  96,   97,   98,  ...,  105,  106,  107],
         [ 108,  109,  110,  ...,  117,  118,  119],
         [ 120,  121,  122,  ...,  129,  130,  131]],

        [[ 132,  133,  134,  ...,  141,  142,  143],
         [ 144,  145,  146,  ...,  153,  154,  155],
         [ 156,  157,  158,  ...,  165,  166,  167],
         ...,
         [ 228,  229,  230,  ...,  237,  238,  239],
         [ 240,  241,  242,  ...,  249,  250,  251],
         [ 252,  253,  254,  ...,  261,  262,  263]],

        [[ 264,  265,  266,  ...,  273,  274,  275],
         [ 276,  277,  278,  ...,  285,  286,  287],
         [ 288,  289,  290,  ...,  297,  298,  299],
         ...,
         [ 360,  361,  362,  ...,  369,  370,  371],
         [ 372,  373,  374,  ...,  381,  382,  383],
         [ 384,  385,  386,  ...,  393,  394,  395]],

        ...,

        [[ 924,  925,  926,  ...,  933,  934,  935],
         [ 936,  937,  938,  ...,  945,  946,  947],
         [ 948,  949,  950,  ...,  957,  958,  959],
         ...,
         [1020, 1021, 1022,  ..., 1029, 1030, 1031],
         [1032, 1033, 1034,  ..., 1041, 1042, 1043],
         [1044, 1045, 1046,  ..., 1053, 1054, 1055]],

        [[1056, 1057, 1058,  ..., 1065, 1066, 1067],
         [1068, 1069, 1070,  ..., 1077, 1078, 1079],
         [1080, 1081, 1082,  ..., 1089, 1090, 1091],
         ...,
         [1152, 1153, 1154,  ..., 1161, 1162, 1163],
         [1164, 1165, 1166,  ..., 1173, 1174, 1175],
         [1176, 1177, 1178,  ..., 1185, 1186, 1187]],

        [[1188, 1189, 1190,  ..., 1197, 1198, 1199],
         [1200, 1201, 1202,  ..., 1209, 1210, 1211],
         [1212, 1213, 1214,  ..., 1221, 1222, 1223],
         ...,
         [1284, 1285, 1286,  ..., 1293, 1294, 1295],
         [1296, 1297, 1298,  ..., 1305, 1306, 1307],
         [1308, 1309, 1310,  ..., 1317, 1318, 1319]]]))"},
    {"SummarisedComplex", BP_C64, {1200}, ramp(2400, 0.5), {},
     R"(tensor([0.0000e+00+5.0000e-01j, 1.0000e+00+1.5000e+00j, 2.0000e+00+2.5000e+00j,
         ..., 1.1970e+03+1.1975e+03j, 1.1980e+03+1.1985e+03j,
        1.1990e+03+1.1995e+03j]))"},
    {"SummarisedAtSix", BP_I64, {200, 6}, ramp(1200, 1), {},
     R"(tensor([[   0,    1,    2,    3,    4,    5],
        [   6,    7,    8,    9,   10,   11],
        [  12,   13,   14,   15,   16,   17],
        ...,
        [1182, 1183, 1184, 1185, 1186, 1187],
        [1188, 1189, 1190, 1191, 1192, 1193],
        [1194, 1195, 1196, 1197, 1198, 1199]]))"},
    {"SmallThreshold", BP_F32, {10}, ramp(10, 0.1), {.threshold = 5},
     R"(tensor([0.0000, 0.1000, 0.2000,  ..., 0.7000, 0.8000, 0.9000]))"},
    {"EdgeItems", BP_I64, {4, 10}, ramp(40, 1), {.threshold = 5, .edge_items = 1},
     R"(tensor([[ 0,  ...,  9],
        ...,
        [30,  ..., 39]]))"},
    {"Precision", BP_F32, {2}, real({0.3333333333333333, 0.6666666666666666}), {.precision = 8},
     R"(tensor([0.33333334, 0.66666669]))"},
    {"PrecisionZero", BP_F32, {2}, real({0.5, 1.25}), {.precision = 0}, R"(tensor([0, 1]))"},
    {"NarrowLines", BP_F32, {6}, ramp(6, 0.5), {.line_width = 20},
     R"(tensor([0.0000,
        0.5000,
        1.0000,
        1.5000,
        2.0000,
        2.5000]))"},
    {"ForcedScientific", BP_F32, {2}, real({1.5, 2.5}), {.sci_mode = 1},
     R"(tensor([1.5000e+00, 2.5000e+00]))"},
    {"ForcedScientificZero", BP_F32, {2}, real({0.0, 0.0}), {.sci_mode = 1}, R"(tensor([0., 0.]))"},
    {"ForbiddenScientific", BP_F32, {2}, real({1e-06, 2.5}), {.sci_mode = 0},
     R"(tensor([    0.0000,     2.5000]))"},
    {"ForbiddenScientificWhole", BP_F32, {2}, real({1.0, 1000000.0}), {.sci_mode = 0},
     R"(tensor([        1.,   1000000.]))"},
};
// clang-format on

}  // namespace print_cases
