# SPDX-License-Identifier: Apache-2.0
# Printed by `./dev print` from the op table (core/ops); do not edit.
from typing import Any, List, Optional, Sequence, Tuple

from ._types import Axis, Device, DType, Number, Operand, Shape
from .tensor import Tensor

__all__: List[str]

class OpMethods:
    def neg(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """-x. Integers wrap; bool is refused."""
    def neg_(self) -> Tensor: ...
    def abs(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """|x|. The most negative integer stays itself. Of complex numbers the modulus, a real number."""
    def abs_(self) -> Tensor: ...
    def sign(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """-1, 0 or 1 by the sign of x; 0 for NaN, as PyTorch."""
    def sign_(self) -> Tensor: ...
    def sqrt(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Square root; NaN below zero."""
    def sqrt_(self) -> Tensor: ...
    def rsqrt(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """1 / sqrt(x); +inf at +0."""
    def rsqrt_(self) -> Tensor: ...
    def square(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """x * x. Integers wrap."""
    def square_(self) -> Tensor: ...
    def reciprocal(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """1 / x."""
    def reciprocal_(self) -> Tensor: ...
    def exp(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """e to the x."""
    def exp_(self) -> Tensor: ...
    def expm1(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """exp(x) - 1, accurate near zero."""
    def expm1_(self) -> Tensor: ...
    def log(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Natural logarithm; -inf at zero, NaN below."""
    def log_(self) -> Tensor: ...
    def log1p(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """log(1 + x), accurate near zero."""
    def log1p_(self) -> Tensor: ...
    def sin(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Sine, x in radians."""
    def sin_(self) -> Tensor: ...
    def cos(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Cosine, x in radians."""
    def cos_(self) -> Tensor: ...
    def tan(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Tangent, x in radians."""
    def tan_(self) -> Tensor: ...
    def tanh(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Hyperbolic tangent."""
    def tanh_(self) -> Tensor: ...
    def sigmoid(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """1 / (1 + exp(-x))."""
    def sigmoid_(self) -> Tensor: ...
    def relu(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """max(x, 0); NaN stays NaN."""
    def relu_(self) -> Tensor: ...
    def gelu(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """x * (1 + erf(x / sqrt 2)) / 2, the exact form (Hendrycks and Gimpel, 2016)."""
    def gelu_(self) -> Tensor: ...
    def silu(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """x * sigmoid(x)."""
    def silu_(self) -> Tensor: ...
    def erf(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Error function."""
    def erf_(self) -> Tensor: ...
    def floor(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Largest integer not above x; integers as they are."""
    def floor_(self) -> Tensor: ...
    def ceil(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Smallest integer not below x; integers as they are."""
    def ceil_(self) -> Tensor: ...
    def round(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Nearest integer, halves to even."""
    def round_(self) -> Tensor: ...
    def trunc(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Nearest integer towards zero."""
    def trunc_(self) -> Tensor: ...
    def isnan(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """True where x is NaN."""
    def isnan_(self) -> Tensor: ...
    def isinf(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """True where x is +inf or -inf."""
    def isinf_(self) -> Tensor: ...
    def logical_not(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """True where x is zero."""
    def logical_not_(self) -> Tensor: ...
    def asin(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Inverse sine, in [-pi/2, pi/2]; NaN outside [-1, 1]."""
    def asin_(self) -> Tensor: ...
    def acos(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Inverse cosine, in [0, pi]; NaN outside [-1, 1]."""
    def acos_(self) -> Tensor: ...
    def atan(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Inverse tangent, in [-pi/2, pi/2]."""
    def atan_(self) -> Tensor: ...
    def sinh(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Hyperbolic sine."""
    def sinh_(self) -> Tensor: ...
    def cosh(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Hyperbolic cosine."""
    def cosh_(self) -> Tensor: ...
    def asinh(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Inverse hyperbolic sine."""
    def asinh_(self) -> Tensor: ...
    def acosh(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Inverse hyperbolic cosine; NaN below 1."""
    def acosh_(self) -> Tensor: ...
    def atanh(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Inverse hyperbolic tangent; infinite at -1 and 1, NaN beyond."""
    def atanh_(self) -> Tensor: ...
    def log2(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Logarithm to base 2; -inf at zero, NaN below. Exact for powers of two."""
    def log2_(self) -> Tensor: ...
    def log10(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Logarithm to base 10; -inf at zero, NaN below."""
    def log10_(self) -> Tensor: ...
    def exp2(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """2 to the x. Exact for integers."""
    def exp2_(self) -> Tensor: ...
    def isfinite(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """True where x is neither infinite nor NaN."""
    def isfinite_(self) -> Tensor: ...
    def add(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a + b. Integers wrap; of bools it is logical or."""
    def add_(self, b: Operand) -> Tensor: ...
    def sub(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a - b. Integers wrap; two bools are refused."""
    def sub_(self, b: Operand) -> Tensor: ...
    def mul(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a * b. Integers wrap; of bools it is logical and."""
    def mul_(self, b: Operand) -> Tensor: ...
    def div(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """True division; integers give the default float dtype."""
    def div_(self, b: Operand) -> Tensor: ...
    def floor_divide(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """Quotient rounded towards -inf, as Python's //. Integers stay integers; an integer divided by 0 is 0. Floating quotients beyond an eighth of 2^p (p bits of precision) may be off by one."""
    def floor_divide_(self, b: Operand) -> Tensor: ...
    def remainder(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a - b * floor(a / b), the sign of b, as Python's %. An integer modulo 0 is 0."""
    def remainder_(self, b: Operand) -> Tensor: ...
    def pow(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a to the b. Integers stay integers and wrap; to a negative integer tensor they give 0, except 1 and -1."""
    def pow_(self, b: Operand) -> Tensor: ...
    def maximum(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """The larger; NaN when either is."""
    def maximum_(self, b: Operand) -> Tensor: ...
    def minimum(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """The smaller; NaN when either is."""
    def minimum_(self, b: Operand) -> Tensor: ...
    def eq(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a == b, as bool."""
    def eq_(self, b: Operand) -> Tensor: ...
    def ne(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a != b, as bool."""
    def ne_(self, b: Operand) -> Tensor: ...
    def lt(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a < b, as bool."""
    def lt_(self, b: Operand) -> Tensor: ...
    def le(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a <= b, as bool."""
    def le_(self, b: Operand) -> Tensor: ...
    def gt(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a > b, as bool."""
    def gt_(self, b: Operand) -> Tensor: ...
    def ge(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a >= b, as bool."""
    def ge_(self, b: Operand) -> Tensor: ...
    def logical_and(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """Both are not zero."""
    def logical_and_(self, b: Operand) -> Tensor: ...
    def logical_or(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """At least one is not zero."""
    def logical_or_(self, b: Operand) -> Tensor: ...
    def logical_xor(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """Exactly one is not zero."""
    def logical_xor_(self, b: Operand) -> Tensor: ...
    def bitwise_and(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a & b of integers or bools."""
    def bitwise_and_(self, b: Operand) -> Tensor: ...
    def bitwise_or(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a | b of integers or bools."""
    def bitwise_or_(self, b: Operand) -> Tensor: ...
    def bitwise_xor(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a ^ b of integers or bools."""
    def bitwise_xor_(self, b: Operand) -> Tensor: ...
    def atan2(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """Angle of the point (b, a), in [-pi, pi]; special cases as C's atan2."""
    def atan2_(self, b: Operand) -> Tensor: ...
    def hypot(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """sqrt(a * a + b * b) without overflow on the way; infinite when either is."""
    def hypot_(self, b: Operand) -> Tensor: ...
    def copysign(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """|a| with the sign bit of b."""
    def copysign_(self, b: Operand) -> Tensor: ...
    def nextafter(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """The number of a's dtype that follows a in the direction of b; b where they are equal."""
    def nextafter_(self, b: Operand) -> Tensor: ...
    def logaddexp(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """log(exp(a) + exp(b)) without overflow on the way. The bound is relative to the larger operand."""
    def logaddexp_(self, b: Operand) -> Tensor: ...
    def fmod(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a - b * trunc(a / b), exact, the sign of a, as C's fmod. An integer modulo 0 is 0."""
    def fmod_(self, b: Operand) -> Tensor: ...
    def bitwise_left_shift(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a << b; 0 where b is negative or not below the width."""
    def bitwise_left_shift_(self, b: Operand) -> Tensor: ...
    def bitwise_right_shift(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a >> b, signed numbers keep their sign; where b is negative or not below the width: 0, or -1 for negative a."""
    def bitwise_right_shift_(self, b: Operand) -> Tensor: ...
    def where(self, x: Operand, y: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """x where condition is true, else y; all broadcast."""
    def where_(self, x: Operand, y: Operand) -> Tensor: ...
    def cast(self, dtype: Optional[DType] = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """x in another dtype. Float to integer truncates towards zero, NaN gives 0 and values out of range saturate, on every device; integers wrap; narrower floats are reached through f32; to bool: is not zero; complex to real drops the imaginary part."""
    def cast_(self, dtype: Optional[DType] = ...) -> Tensor: ...
    def copy(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """x's elements, converted to a given output's dtype by the rules of cast."""
    def copy_(self) -> Tensor: ...
    def sum(self, axes: Axis = ..., keepdims: bool = ..., dtype: Optional[DType] = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Sum over axes (none given: all); 0 of nothing. Integers and bools are summed in i64 (u64 in u64). The order of additions depends on the shape alone, not on the number of threads; the bound holds for operands of one sign."""
    def mean(self, axes: Axis = ..., keepdims: bool = ..., dtype: Optional[DType] = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Mean over axes; NaN of nothing. Floating dtypes only. The bound is of sum's kind."""
    def prod(self, axes: Axis = ..., keepdims: bool = ..., dtype: Optional[DType] = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Product over axes; 1 of nothing. dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP."""
    def max(self, axes: Axis = ..., keepdims: bool = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Largest over axes; NaN when one is there."""
    def min(self, axes: Axis = ..., keepdims: bool = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Smallest over axes; NaN when one is there."""
    def argmax(self, axis: Axis = ..., keepdims: bool = ..., *, axes: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """First position (i64) of the largest along axis, or in the flattened tensor when none is given; the first NaN when one is there."""
    def argmin(self, axis: Axis = ..., keepdims: bool = ..., *, axes: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """First position of the smallest; see argmax."""
    def any(self, axes: Axis = ..., keepdims: bool = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """True when one is not zero (NaN is not); false of nothing."""
    def all(self, axes: Axis = ..., keepdims: bool = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """True when none is zero; true of nothing."""
    def var(self, axes: Axis = ..., keepdims: bool = ..., correction: float = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Variance over axes: sum of squared distances from the mean over (n - correction), at least 0. Two passes. Of complex numbers it is real."""
    def cumsum(self, axis: int = ..., dtype: Optional[DType] = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Running sum along axis; dtypes as sum. The bound is relative to the sum of magnitudes."""
    def softmax(self, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """exp(x - max) / sum(exp(x - max)) along axis."""
    def log_softmax(self, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """x - max - log(sum(exp(x - max))) along axis. The bound is relative to the largest term."""
    def cumprod(self, axis: int = ..., dtype: Optional[DType] = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Running product along axis; dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP."""
    def matmul(self, b: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
        """Matrix product: [.., m, k] x [.., k, n] -> [.., m, n], batches broadcast; a 1-D a is a row and a 1-D b a column, dropped again from the result. Equal dtypes; f16 and bf16 are accumulated in f32, integers wrap, of bools it is any(a and b). Error: at most (k + 2) * eps * (|a| x |b|) for each element; larger for f32 where bp_set_matmul_precision allows it."""
    def gather(self, index: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """out[.., j, ..] = x[.., index[.., j, ..], ..]: index has x's rank and, off the axis, sizes no larger than x's. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu."""
    def index_select(self, index: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Slices of x along axis, in the order of the 1-D index."""
    def take_along(self, index: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """gather with x and index broadcast against each other off the axis; indices may be negative."""
    def one_hot(self, num_classes: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """i64 with a new last axis of num_classes: 1 at x, else 0. Values outside 0 .. num_classes - 1 are errors on the cpu."""
    def sort(self, axis: int = ..., descending: bool = ..., *, axes: int = ..., dim: int = ...) -> Tuple[Tensor, Tensor]:
        """Stable sort along axis; NaN is the largest. indices: where each value came from (i64)."""
    def argsort(self, axis: int = ..., descending: bool = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """The indices of sort."""
    def topk(self, k: int = ..., axis: int = ..., largest: bool = ..., *, axes: int = ..., dim: int = ...) -> Tuple[Tensor, Tensor]:
        """The k largest (or smallest) along axis, best first, ties by position; NaN is the largest."""
    def signbit(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """True where the sign bit is set: x < 0, and -0 and NaN of that sign."""
    def signbit_(self) -> Tensor: ...
    def bitwise_not(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """~x of integers; of bools it is logical not."""
    def bitwise_not_(self) -> Tensor: ...
    def softplus(self, beta: float = ..., threshold: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """log(1 + exp(beta * x)) / beta; x itself where beta * x is above threshold."""
    def softplus_(self, beta: float = ..., threshold: float = ...) -> Tensor: ...
    def elu(self, alpha: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """x where x > 0, else alpha * (exp(x) - 1)."""
    def elu_(self, alpha: float = ...) -> Tensor: ...
    def leaky_relu(self, negative_slope: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """x where x > 0, else negative_slope * x."""
    def leaky_relu_(self, negative_slope: float = ...) -> Tensor: ...
    def hardswish(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """x * min(max(x + 3, 0), 6) / 6."""
    def hardswish_(self) -> Tensor: ...
    def hardsigmoid(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """min(max(x + 3, 0), 6) / 6."""
    def hardsigmoid_(self) -> Tensor: ...
    def mish(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """x * tanh(softplus(x))."""
    def mish_(self) -> Tensor: ...
    def gelu_tanh(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2: gelu with approximate='tanh'. The bound is relative to x where x is negative."""
    def gelu_tanh_(self) -> Tensor: ...
    def hardtanh(self, min_val: float = ..., max_val: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """x kept within min_val and max_val; NaN stays NaN."""
    def hardtanh_(self, min_val: float = ..., max_val: float = ...) -> Tensor: ...
    def relu6(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """min(max(x, 0), 6); NaN stays NaN."""
    def relu6_(self) -> Tensor: ...
    def nan_to_num(self, nan: float = ..., posinf: float = ..., neginf: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """x with NaN, inf and -inf replaced: by nan, posinf (none: the dtype's largest) and neginf (none: its lowest). Integers as they are."""
    def nan_to_num_(self, nan: float = ..., posinf: float = ..., neginf: float = ...) -> Tensor: ...
    def clip(self, min: Optional[Operand] = ..., max: Optional[Operand] = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """min(max(x, min), max), bounds broadcast; max where min > max; NaN where an operand is. PyTorch's clamp."""
    def clip_(self, min: Optional[Operand] = ..., max: Optional[Operand] = ...) -> Tensor: ...
    def lerp(self, end: Operand, weight: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """start + weight * (end - start), computed from the nearer end. The bound is relative to the largest term."""
    def lerp_(self, end: Operand, weight: Operand) -> Tensor: ...
    def lgamma(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """log(abs(gamma(x))): inf at 0 and negative integers. Below 0 the error is that bound of the largest term of log(pi / abs(sin(pi x))) - lgamma(1 - x)."""
    def lgamma_(self) -> Tensor: ...
    def digamma(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """The derivative of lgamma: -inf at 0, inf at -0, NaN at negative integers. The bound is relative to the largest of the result, log(x + 10) and 1 / x."""
    def digamma_(self) -> Tensor: ...
    def addcmul(self, a: Operand, b: Operand, value: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """x + value * a * b. Integers wrap, and take the whole part of value. The bound is relative to the largest term."""
    def addcmul_(self, a: Operand, b: Operand, value: float = ...) -> Tensor: ...
    def addcdiv(self, a: Operand, b: Operand, value: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """x + value * a / b; integers give the default float dtype. The bound is relative to the largest term."""
    def addcdiv_(self, a: Operand, b: Operand, value: float = ...) -> Tensor: ...
    def kthvalue(self, k: int = ..., axis: int = ..., *, axes: int = ..., dim: int = ...) -> Tuple[Tensor, Tensor]:
        """The k-th least element along axis, which stays with size 1, and its place; k counts from 1, ties by position, NaN is the largest."""
    def std(self, axes: Axis = ..., keepdims: bool = ..., correction: float = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Standard deviation over axes: the square root of var."""
    def logsumexp(self, axes: Axis = ..., keepdims: bool = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """log(sum(exp(x))) over axes without overflow on the way; -inf of nothing. The bound is relative to the largest term."""
    def vector_norm(self, axes: Axis = ..., keepdims: bool = ..., ord: float = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """sum(|x|^ord)^(1/ord) over axes; ord inf and -inf: the largest and the smallest |x|, 0: how many are not zero. Of complex numbers it is real. The gradient is 0 where the norm is."""
    def count_nonzero(self, axes: Axis = ..., keepdims: bool = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """How many are not zero over axes (i64); NaN is not."""
    def diff(self, n: int = ..., axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Differences of neighbours along axis, n times; of bools whether they differ."""
    def roll(self, shift: Axis = ..., axis: Axis = ..., *, axes: Axis = ..., dim: Axis = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Elements moved by shift along axis, what falls off coming in again; without axis as one line."""
    def repeat(self, repeats: int = ..., axis: Axis = ..., *, axes: Axis = ..., dim: Axis = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Each element of axis repeats times in a row; without axis of the flattened tensor. PyTorch's repeat_interleave."""
    def tile(self, repetitions: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The whole repeated along each of the last axes."""
    def tril(self, diagonal: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """Of each matrix the elements on and below the diagonal (counted to the right), else 0."""
    def triu(self, diagonal: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """Of each matrix the elements on and above the diagonal (counted to the right), else 0."""
    def pad(self, pad: Axis = ..., mode: str = ..., value: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """Elements added before and after: pad holds two numbers for the last axis, then for the one before it, ...; negative ones take away. mode: constant (value), reflect (without the edge), replicate (the edge), circular (of what negative numbers leave)."""
    def outer(self, b: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
        """out[i, j] = a[i] * b[j] of two 1-D tensors."""
    def vecdot(self, b: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Sum of a * b along axis, of conj(a) * b where they are complex, broadcast elsewhere. Error as matmul."""
    def tensordot(self, b: Tensor, axes_a: Axis = ..., axes_b: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """Sum of products over axes_a of a and axes_b of b, pair by pair; what is left of a, then of b. Error as matmul."""
    def trace(self, offset: int = ..., dtype: Optional[DType] = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """Sum along the diagonal of each matrix, offset to the right; dtypes and bound as sum."""
    def cross(self, b: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Vector product along an axis of 3. The bound is relative to the products that are subtracted."""
    def kron(self, b: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
        """Kronecker product: every element of a times the whole of b, in its place."""
    def scatter(self, index: Tensor, src: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """x with out[.., index[.., j, ..], ..] = src[.., j, ..]; of equal indices the last wins. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu."""
    def scatter_add(self, index: Tensor, src: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """scatter that adds, in the order of j on every device. Of bools it is logical or. The bound is relative to the sum of magnitudes, for a few terms."""
    def index_add(self, index: Tensor, source: Tensor, axis: int = ..., alpha: float = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """x with alpha * slice j of source added to slice index[j] along axis, in the order of j."""
    def masked_fill(self, mask: Operand, value: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """x, and value (a number or 0-dim) where mask is true; mask and x broadcast."""
    def masked_fill_(self, mask: Operand, value: Operand) -> Tensor: ...
    def searchsorted(self, values: Tensor, right: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """For each value the first position (i64) in the sorted 1-D sequence whose element is not less than it; right: is greater. NaN is the largest."""
    def linear(self, weight: Tensor, bias: Optional[Tensor] = ..., activation: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """x weight^T + bias: [.., in] with a weight [out, in] and a bias [out] is [.., out]; activation is none or relu, of the sum. Equal dtypes. Error as matmul, and one rounding of the result for the bias."""
    def mse_loss(self, target: Tensor, reduction: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """(input - target)^2. reduction: none, mean or sum."""
    def l1_loss(self, target: Tensor, reduction: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """|input - target|. reduction: none, mean or sum."""
    def huber_loss(self, target: Tensor, reduction: str = ..., delta: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """d^2 / 2 where d = |input - target| is below delta, else delta * (d - delta / 2). reduction: none, mean or sum."""
    def smooth_l1_loss(self, target: Tensor, reduction: str = ..., beta: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """d^2 / (2 * beta) where d = |input - target| is below beta, else d - beta / 2."""
    def binary_cross_entropy(self, target: Tensor, weight: Optional[Tensor] = ..., reduction: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """-(target * log(input) + (1 - target) * log(1 - input)), logarithms at least -100, times weight."""
    def binary_cross_entropy_with_logits(self, target: Tensor, weight: Optional[Tensor] = ..., pos_weight: Optional[Tensor] = ..., reduction: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """binary_cross_entropy of sigmoid(input) without its overflow; pos_weight weighs positive targets."""
    def nll_loss(self, target: Tensor, weight: Optional[Tensor] = ..., ignore_index: int = ..., reduction: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """-weight[target] * input[.., target, ..] for input [N, C, ..] or [C]; 0 where target is ignore_index. The mean is that of weights."""
    def cross_entropy(self, target: Tensor, weight: Optional[Tensor] = ..., ignore_index: int = ..., reduction: str = ..., label_smoothing: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """nll_loss of log_softmax(input); a floating target holds probabilities of classes. label_smoothing mixes in the uniform distribution."""
    def batch_norm_running(self, running_mean: Tensor, running_var: Tensor, momentum: float = ...) -> Tuple[Tensor, Tensor]:
        """The running statistics after a batch x [N, C, ..] of batch_norm's training: (1 - momentum) * running + momentum * x's own, the variance with n - 1. Written in place by giving them as results."""
    def layer_norm(self, weight: Optional[Tensor] = ..., bias: Optional[Tensor] = ..., normalized_shape: Axis = ..., eps: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """(x - mean) / sqrt(var + eps) * weight + bias over the last dims, var without correction. The bound is relative to the largest term."""
    def rms_norm(self, weight: Optional[Tensor] = ..., normalized_shape: Axis = ..., eps: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """x / sqrt(mean(x^2) + eps) * weight over the last dims; eps none: the dtype's epsilon (f32's for halves)."""
    def batch_norm(self, running_mean: Optional[Tensor] = ..., running_var: Optional[Tensor] = ..., weight: Optional[Tensor] = ..., bias: Optional[Tensor] = ..., training: bool = ..., eps: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """x [N, C, ..] normalized for each channel by the running statistics, or in training by its own mean and variance; running statistics are not changed. The bound is relative to the largest term."""
    def group_norm(self, weight: Optional[Tensor] = ..., bias: Optional[Tensor] = ..., num_groups: int = ..., eps: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """x [N, C, ..] normalized over each of num_groups groups of channels. The bound is relative to the largest term."""
    def embedding(self, weight: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
        """Row input[..] of weight for each index; indices as index_select."""
    def dropout(self, p: float = ..., seed: int = ..., offset: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """x / (1 - p) where bernoulli(1 - p) of the same seed and offset is 1, else 0."""
    def scaled_dot_product_attention(self, key: Tensor, value: Tensor, attn_mask: Optional[Tensor] = ..., is_causal: bool = ..., scale: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """softmax(query x key^T * scale + attn_mask) x value. scale none: 1 / sqrt(E). A bool mask is true where a key takes part (none: 0); is_causal: keys up to the query's own position. The bound is relative to the largest value."""
    def rope(self, cos: Tensor, sin: Tensor, interleaved: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """Rotary positions (Su et al., 2021): pairs (a, b) of the last dim's halves, or of neighbours when interleaved, become (a cos - b sin, b cos + a sin); cos and sin are of half its size. The bound is relative to the products."""
    def max_pool2d_with_indices(self, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., ceil_mode: bool = ...) -> Tuple[Tensor, Tensor]:
        """max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones."""
    def max_pool3d_with_indices(self, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., ceil_mode: bool = ...) -> Tuple[Tensor, Tensor]:
        """max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones."""
    def conv1d(self, weight: Tensor, bias: Optional[Tensor] = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., groups: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul."""
    def conv2d(self, weight: Tensor, bias: Optional[Tensor] = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., groups: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul."""
    def conv3d(self, weight: Tensor, bias: Optional[Tensor] = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., groups: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul."""
    def conv_transpose1d(self, weight: Tensor, bias: Optional[Tensor] = ..., stride: Axis = ..., padding: Axis = ..., output_padding: Axis = ..., groups: int = ..., dilation: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul."""
    def conv_transpose2d(self, weight: Tensor, bias: Optional[Tensor] = ..., stride: Axis = ..., padding: Axis = ..., output_padding: Axis = ..., groups: int = ..., dilation: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul."""
    def conv_transpose3d(self, weight: Tensor, bias: Optional[Tensor] = ..., stride: Axis = ..., padding: Axis = ..., output_padding: Axis = ..., groups: int = ..., dilation: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul."""
    def max_pool1d(self, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., ceil_mode: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The largest of each window; NaN when one is there. stride none: kernel_size."""
    def max_pool2d(self, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., ceil_mode: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The largest of each window; NaN when one is there. stride none: kernel_size."""
    def avg_pool1d(self, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., ceil_mode: bool = ..., count_include_pad: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind."""
    def avg_pool2d(self, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., ceil_mode: bool = ..., count_include_pad: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind."""
    def adaptive_avg_pool1d(self, output_size: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The mean over output_size windows that share the input evenly. The bound is of sum's kind."""
    def adaptive_avg_pool2d(self, output_size: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The mean over output_size windows that share the input evenly. The bound is of sum's kind."""
    def interpolate(self, size: Axis = ..., mode: str = ..., align_corners: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """input [N, C, sizes] at other sizes: nearest, nearest-exact, linear, bilinear, trilinear, bicubic, or area, the mean of what an element covers. The bound is relative to the largest term."""
    def max_pool3d(self, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., ceil_mode: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The largest of each window; NaN when one is there. stride none: kernel_size."""
    def avg_pool3d(self, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., ceil_mode: bool = ..., count_include_pad: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind."""
    def adaptive_avg_pool3d(self, output_size: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The mean over output_size windows that share the input evenly. The bound is of sum's kind."""
    def adaptive_max_pool1d(self, output_size: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The largest of output_size windows that share the input evenly; NaN when one is there."""
    def adaptive_max_pool2d(self, output_size: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The largest of output_size windows that share the input evenly; NaN when one is there."""
    def adaptive_max_pool3d(self, output_size: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The largest of output_size windows that share the input evenly; NaN when one is there."""
    def max_pool1d_with_indices(self, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., ceil_mode: bool = ...) -> Tuple[Tensor, Tensor]:
        """max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones."""
    def real(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """The real parts, of c64 as f32 and of c128 as f64; real numbers as they are. A copy: bp_tensor_view_as_real gives views."""
    def real_(self) -> Tensor: ...
    def imag(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """The imaginary parts of complex numbers, as real's."""
    def imag_(self) -> Tensor: ...
    def conj(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """The imaginary parts with the other sign; real numbers as they are."""
    def conj_(self) -> Tensor: ...
    def angle(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """atan2(imaginary, real), in [-pi, pi]; of real numbers pi below zero, else 0, and NaN of NaN."""
    def angle_(self) -> Tensor: ...
    def complex(self, imag: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """Complex numbers of real and imaginary parts, which broadcast: c64 of f32, c128 of f64."""
    def complex_(self, imag: Operand) -> Tensor: ...
    def polar(self, angle: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """abs * cos(angle) + abs * sin(angle) i; dtypes as complex's."""
    def polar_(self, angle: Operand) -> Tensor: ...
    def interpolate_v2(self, size: Axis = ..., mode: str = ..., align_corners: bool = ..., scale_d: float = ..., scale_h: float = ..., scale_w: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """interpolate, whose elements are 1 / scale apart in input where a scale of that dim (the last one's is scale_w) is above 0, as PyTorch's are after scale_factor; else as far as the sizes say."""
    def im2col(self, kernel_size: Axis = ..., dilation: Axis = ..., padding: Axis = ..., stride: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The windows of images [N, C, H, W] or [C, H, W], zeros around them, as columns [N, C * kernel, windows]: PyTorch's unfold."""
    def col2im(self, output_size: Axis = ..., kernel_size: Axis = ..., dilation: Axis = ..., padding: Axis = ..., stride: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """Columns as im2col's, added up where windows overlap, to images of output_size: PyTorch's fold. The bound is of sum's kind."""
    def cholesky(self, upper: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The lower triangular L with L L^H = A of a Hermitian positive-definite A (upper: U with U^H U = A); one triangle of A is read. A that is not positive-definite is refused. Error: |L L^H - A| at most 4 n eps |A|."""
    def lu_factor(self) -> Tuple[Tensor, Tensor]:
        """P L U = A with partial pivoting: L without its unit diagonal below U in one matrix; pivots (i32, from 1): row i was exchanged with row pivots[i]. A singular A has factors too."""
    def solve_triangular(self, b: Tensor, upper: bool = ..., left: bool = ..., unitriangular: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """X with A X = B (left false: X A = B) for a triangular A, of which only that triangle is read (unitriangular: without its diagonal); batches broadcast. A zero on the diagonal gives inf or NaN."""
    def solve(self, b: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
        """X with A X = B for square A; a 1-D B is one vector, batches of matrices broadcast. A singular A is refused. Error: |A X - B| at most 8 n eps (|A| |X| + |B|)."""
    def inv(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """The inverse of square matrices; a singular one is refused."""
    def qr(self, complete: bool = ...) -> Tuple[Tensor, Tensor]:
        """Q R = A with Q's columns orthonormal, R upper triangular: min(m, n) columns, complete: all m. By Householder reflections, so that R's diagonal may be negative."""
    def svd(self, full_matrices: bool = ...) -> Tuple[Tensor, Tensor, Tensor]:
        """U diag(S) Vh = A with U and Vh unitary and S real, falling. full_matrices false: min(m, n) columns and rows. Error: |U diag(S) Vh - A| at most 16 max(m, n) eps |A|."""
    def svdvals(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """The S of svd."""
    def eigh(self, upper: bool = ...) -> Tuple[Tensor, Tensor]:
        """A V = V diag(w) of a Hermitian A, of which the lower triangle is read (upper: that): w real, rising; V unitary."""
    def eigvalsh(self, upper: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The eigenvalues of eigh."""
    def det(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """The determinants of square matrices, by lu_factor."""
    def slogdet(self) -> Tuple[Tensor, Tensor]:
        """Sign (of modulus 1, or 0) and logarithm of the modulus of det; -inf of a singular matrix."""
    def matrix_rank(self, atol: float = ..., rtol: float = ..., hermitian: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """How many singular values (hermitian: moduli of eigenvalues) are above max(atol, rtol * the largest), in i64. Below 0 is not given: rtol is then max(m, n) * eps, or 0 where atol is above 0."""
    def pinv(self, atol: float = ..., rtol: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The Moore-Penrose inverse, by svd; singular values that matrix_rank would not count are taken for 0."""
    def matrix_power(self, n: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """A multiplied n times with itself; the inverse's power for n below 0, the identity for 0."""
    def matrix_norm(self, ord: str = ..., keepdims: bool = ..., *, keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Of each matrix, by ord: 'fro', the root of the sum of squares; 'nuc', the sum of singular values; '2' and '-2', the largest and the least of them; '1' and '-1', of the columns' sums of moduli; 'inf' and '-inf', of the rows'."""
    def lstsq(self, b: Tensor, rcond: float = ...) -> Tuple[Tensor, Tensor, Tensor]:
        """The shortest X for which |A X - B| is least, by svd: singular values up to rcond times the largest are taken for 0; below 0: max(m, n) * eps."""
    def eig(self) -> Tuple[Tensor, Tensor]:
        """A V = V diag(w) of any square A: w and V complex, in no order, the columns of V of length 1. Their phases are free, so that a gradient is that of what does not depend on them. Infinities and NaN are refused."""
    def eigvals(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """The eigenvalues of eig."""
    def cdist(self, x2: Tensor, p: float = ..., compute_mode: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The p-norm of x1[.., i, :] - x2[.., j, :]; batches broadcast. Above 25 rows, for p = 2, the squares come from a product of matrices, with the error of |x1|^2 + |x2|^2, unless compute_mode is 'donot_use_mm_for_euclid_dist'."""
    def fft_c2c(self, axis: int = ..., inverse: bool = ..., scale: float = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """scale * sum over j of x[j] exp(-2 pi i j k / n) along axis (inverse: exp(+...)). Error of a line, in the 2-norm: at most 1e-7 log2(4 n) of the result's for c64, 2e-16 log2(4 n) for c128."""
    def fft_r2c(self, axis: int = ..., scale: float = ..., conj: bool = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """fft_c2c of real numbers: its first n/2 + 1 results along axis, of which the others are conjugates (conj: the conjugates of these)."""
    def fft_c2r(self, axis: int = ..., n: int = ..., scale: float = ..., conj: bool = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """The n real numbers along axis whose spectrum's first n/2 + 1 are x: fft_c2c's inverse of it. What must be real of x is taken for real. conj: x is taken for its conjugate."""
    def fft(self, n: int = ..., axis: int = ..., norm: str = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """The discrete Fourier transform along axis, of n elements: x is cut, or followed by zeros; -1: as many as there are. norm: which direction is divided by n: 'backward', 'forward', or 'ortho', both by its square root."""
    def ifft(self, n: int = ..., axis: int = ..., norm: str = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """The inverse of fft."""
    def fftn(self, s: Axis = ..., axes: Axis = ..., norm: str = ..., *, axis: Axis = ..., dim: Axis = ..., out: Optional[Tensor] = ...) -> Tensor:
        """fft along each of axes (none given: the last as many as s has, or all), of s elements each."""
    def ifftn(self, s: Axis = ..., axes: Axis = ..., norm: str = ..., *, axis: Axis = ..., dim: Axis = ..., out: Optional[Tensor] = ...) -> Tensor:
        """The inverse of fftn."""
    def rfft(self, n: int = ..., axis: int = ..., norm: str = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """The first n/2 + 1 results of fft of real numbers."""
    def irfft(self, n: int = ..., axis: int = ..., norm: str = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """The inverse of rfft: n real numbers (-1: 2 (m - 1), m the size of axis) of half a spectrum."""
    def rfftn(self, s: Axis = ..., axes: Axis = ..., norm: str = ..., *, axis: Axis = ..., dim: Axis = ..., out: Optional[Tensor] = ...) -> Tensor:
        """rfft along the last of axes, fft along the others; see fftn."""
    def irfftn(self, s: Axis = ..., axes: Axis = ..., norm: str = ..., *, axis: Axis = ..., dim: Axis = ..., out: Optional[Tensor] = ...) -> Tensor:
        """The inverse of rfftn; the last of s as irfft's n."""
    def hfft(self, n: int = ..., axis: int = ..., norm: str = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """The real fft of Hermitian numbers of which x is the first half; n as irfft's."""
    def ihfft(self, n: int = ..., axis: int = ..., norm: str = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """The inverse of hfft."""
    def nonzero(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Where x is not zero, in row-major order: i64 [count, rank of x], an index in each row. Waits for the device."""
    def flat_nonzero(self, size: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """The first `size` row-major positions at which mask is true, in order; -1 after the last. Waits for nobody."""
    def masked_select(self, mask: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
        """The elements of x at which mask is true, in row-major order, 1-D; x and mask broadcast. Waits for the device."""
    def unique(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """The different values of x, ascending, 1-D; each NaN is one of its own. Waits for the device."""
    def unique_all(self) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
        """unique, and for each value where it first occurs in flattened x and how often; inverse, of x's shape: which value each element is. Waits for the device."""
    def index_copy(self, index: Tensor, source: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """x with slice j of source in place of slice index[j] along axis; of equal indices the last wins. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu."""
    def bincount(self, weights: Optional[Tensor] = ..., minlength: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """How often each of 0, 1, .. max(x) is in x, a list of no negative integers, in i64; or the sums of their weights, in f64, of f32 in f32. At least minlength of them. The bound is of sum's kind. Waits for the device."""
    def convolution(self, weight: Tensor, stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., groups: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """Convolution of input [N, C, size] with weight [O, C / groups, kernel] over one to three dims. Error as matmul."""
    def convolution_input_grad(self, weight: Tensor, size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., groups: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """convolution's gradient towards an input of the spatial size; grad is that of its result. Error as matmul."""
    def convolution_weight_grad(self, input: Tensor, size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., groups: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """convolution's gradient towards a weight whose kernels have the size; grad is that of its result. Error as matmul."""
    def max_pool_grad(self, input: Tensor, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., ceil_mode: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """max_pool's gradient towards its input [N, C, size]: grad, that of its result, where each window's largest is, the first of equal ones."""
    def layer_norm_grad(self, x: Tensor, weight: Optional[Tensor] = ..., normalized_shape: Axis = ..., eps: float = ...) -> Tuple[Tensor, Tensor, Tensor]:
        """layer_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the largest term."""
    def rms_norm_grad(self, x: Tensor, weight: Optional[Tensor] = ..., normalized_shape: Axis = ..., eps: float = ...) -> Tuple[Tensor, Tensor]:
        """rms_norm's gradients towards x and weight: grad is that of its result. The bound is relative to the largest term."""
    def batch_norm_grad(self, x: Tensor, running_mean: Optional[Tensor] = ..., running_var: Optional[Tensor] = ..., weight: Optional[Tensor] = ..., training: bool = ..., eps: float = ...) -> Tuple[Tensor, Tensor, Tensor]:
        """batch_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the largest term."""
    def group_norm_grad(self, x: Tensor, weight: Optional[Tensor] = ..., num_groups: int = ..., eps: float = ...) -> Tuple[Tensor, Tensor, Tensor]:
        """group_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the largest term."""
    def sum_square(self, axes: Axis = ..., keepdims: bool = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Sum of squares over axes; 0 of nothing. It is computed as sum is, and a square may leave the dtype's range, that of f32 for halves."""
    def lstm_gates(self, hidden_gates: Tensor, cell: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
        """A step of an LSTM: i, f, g, o [.., 4H] are sigmoid, sigmoid, tanh and sigmoid of input_gates + hidden_gates; next_cell = f * cell + i * g, h = o * tanh(next_cell). The bound is relative to the largest term."""
    def lstm_gates_grad(self, cell: Tensor, grad_h: Optional[Tensor] = ..., grad_h2: Optional[Tensor] = ..., grad_next_cell: Optional[Tensor] = ...) -> Tuple[Tensor, Tensor]:
        """lstm_gates' gradients towards both of its gates, which have the same one, and cell: gates is its result, the gradient of h the sum of grad_h and grad_h2. The bound is relative to the largest term."""
    def gru_gates(self, hidden_gates: Tensor, h: Tensor, hidden_bias: Optional[Tensor] = ...) -> Tuple[Tensor, Tensor]:
        """A step of a GRU, x input_gates and y hidden_gates + hidden_bias, each r, z, n [.., 3H]: r and z are sigmoid of x + y, n = tanh(x + r * y), next_h = n + z * (h - n). gates [.., 4H] are r, z, n and y's n. The bound is relative to the largest term."""
    def gru_gates_grad(self, h: Tensor, grad: Optional[Tensor] = ..., grad2: Optional[Tensor] = ..., grad3: Optional[Tensor] = ...) -> Tuple[Tensor, Tensor, Tensor]:
        """gru_gates' gradients towards input_gates, hidden_gates and h: gates is its result, the gradient of next_h the sum of grad, grad2 and grad3. The bound is relative to the largest term."""
    def rnn_gates(self, hidden_gates: Tensor, relu: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """A step of an RNN: tanh, or relu, of input_gates + hidden_gates. The bound is relative to the largest term."""
    def rnn_gates_grad(self, grad: Optional[Tensor] = ..., grad2: Optional[Tensor] = ..., relu: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """rnn_gates' gradient towards both of its gates, which have the same one: h is its result, whose gradient is the sum of grad and grad2. The bound is relative to the largest term."""

def neg(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """-x. Integers wrap; bool is refused."""
def abs(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """|x|. The most negative integer stays itself. Of complex numbers the modulus, a real number."""
def sign(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """-1, 0 or 1 by the sign of x; 0 for NaN, as PyTorch."""
def sqrt(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Square root; NaN below zero."""
def rsqrt(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """1 / sqrt(x); +inf at +0."""
def square(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """x * x. Integers wrap."""
def reciprocal(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """1 / x."""
def exp(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """e to the x."""
def expm1(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """exp(x) - 1, accurate near zero."""
def log(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Natural logarithm; -inf at zero, NaN below."""
def log1p(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """log(1 + x), accurate near zero."""
def sin(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Sine, x in radians."""
def cos(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Cosine, x in radians."""
def tan(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Tangent, x in radians."""
def tanh(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Hyperbolic tangent."""
def sigmoid(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """1 / (1 + exp(-x))."""
def relu(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """max(x, 0); NaN stays NaN."""
def gelu(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """x * (1 + erf(x / sqrt 2)) / 2, the exact form (Hendrycks and Gimpel, 2016)."""
def silu(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """x * sigmoid(x)."""
def erf(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Error function."""
def floor(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Largest integer not above x; integers as they are."""
def ceil(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Smallest integer not below x; integers as they are."""
def round(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Nearest integer, halves to even."""
def trunc(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Nearest integer towards zero."""
def isnan(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """True where x is NaN."""
def isinf(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """True where x is +inf or -inf."""
def logical_not(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """True where x is zero."""
def asin(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Inverse sine, in [-pi/2, pi/2]; NaN outside [-1, 1]."""
def acos(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Inverse cosine, in [0, pi]; NaN outside [-1, 1]."""
def atan(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Inverse tangent, in [-pi/2, pi/2]."""
def sinh(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Hyperbolic sine."""
def cosh(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Hyperbolic cosine."""
def asinh(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Inverse hyperbolic sine."""
def acosh(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Inverse hyperbolic cosine; NaN below 1."""
def atanh(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Inverse hyperbolic tangent; infinite at -1 and 1, NaN beyond."""
def log2(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Logarithm to base 2; -inf at zero, NaN below. Exact for powers of two."""
def log10(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Logarithm to base 10; -inf at zero, NaN below."""
def exp2(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """2 to the x. Exact for integers."""
def isfinite(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """True where x is neither infinite nor NaN."""
def add(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a + b. Integers wrap; of bools it is logical or."""
def sub(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a - b. Integers wrap; two bools are refused."""
def mul(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a * b. Integers wrap; of bools it is logical and."""
def div(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """True division; integers give the default float dtype."""
def floor_divide(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """Quotient rounded towards -inf, as Python's //. Integers stay integers; an integer divided by 0 is 0. Floating quotients beyond an eighth of 2^p (p bits of precision) may be off by one."""
def remainder(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a - b * floor(a / b), the sign of b, as Python's %. An integer modulo 0 is 0."""
def pow(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a to the b. Integers stay integers and wrap; to a negative integer tensor they give 0, except 1 and -1."""
def maximum(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """The larger; NaN when either is."""
def minimum(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """The smaller; NaN when either is."""
def eq(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a == b, as bool."""
def ne(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a != b, as bool."""
def lt(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a < b, as bool."""
def le(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a <= b, as bool."""
def gt(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a > b, as bool."""
def ge(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a >= b, as bool."""
def logical_and(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """Both are not zero."""
def logical_or(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """At least one is not zero."""
def logical_xor(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """Exactly one is not zero."""
def bitwise_and(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a & b of integers or bools."""
def bitwise_or(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a | b of integers or bools."""
def bitwise_xor(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a ^ b of integers or bools."""
def atan2(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """Angle of the point (b, a), in [-pi, pi]; special cases as C's atan2."""
def hypot(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """sqrt(a * a + b * b) without overflow on the way; infinite when either is."""
def copysign(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """|a| with the sign bit of b."""
def nextafter(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """The number of a's dtype that follows a in the direction of b; b where they are equal."""
def logaddexp(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """log(exp(a) + exp(b)) without overflow on the way. The bound is relative to the larger operand."""
def fmod(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a - b * trunc(a / b), exact, the sign of a, as C's fmod. An integer modulo 0 is 0."""
def bitwise_left_shift(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a << b; 0 where b is negative or not below the width."""
def bitwise_right_shift(a: Operand, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """a >> b, signed numbers keep their sign; where b is negative or not below the width: 0, or -1 for negative a."""
def where(condition: Operand, x: Operand, y: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """x where condition is true, else y; all broadcast."""
def cast(x: Tensor, dtype: Optional[DType] = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """x in another dtype. Float to integer truncates towards zero, NaN gives 0 and values out of range saturate, on every device; integers wrap; narrower floats are reached through f32; to bool: is not zero; complex to real drops the imaginary part."""
def copy(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """x's elements, converted to a given output's dtype by the rules of cast."""
def fill(value: Number, shape: Shape = ..., dtype: Optional[DType] = ..., *, device: Optional[Device] = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Every element is value."""
def sum(x: Tensor, axes: Axis = ..., keepdims: bool = ..., dtype: Optional[DType] = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Sum over axes (none given: all); 0 of nothing. Integers and bools are summed in i64 (u64 in u64). The order of additions depends on the shape alone, not on the number of threads; the bound holds for operands of one sign."""
def mean(x: Tensor, axes: Axis = ..., keepdims: bool = ..., dtype: Optional[DType] = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Mean over axes; NaN of nothing. Floating dtypes only. The bound is of sum's kind."""
def prod(x: Tensor, axes: Axis = ..., keepdims: bool = ..., dtype: Optional[DType] = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Product over axes; 1 of nothing. dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP."""
def max(x: Tensor, axes: Axis = ..., keepdims: bool = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Largest over axes; NaN when one is there."""
def min(x: Tensor, axes: Axis = ..., keepdims: bool = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Smallest over axes; NaN when one is there."""
def argmax(x: Tensor, axis: Axis = ..., keepdims: bool = ..., *, axes: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """First position (i64) of the largest along axis, or in the flattened tensor when none is given; the first NaN when one is there."""
def argmin(x: Tensor, axis: Axis = ..., keepdims: bool = ..., *, axes: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """First position of the smallest; see argmax."""
def any(x: Tensor, axes: Axis = ..., keepdims: bool = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """True when one is not zero (NaN is not); false of nothing."""
def all(x: Tensor, axes: Axis = ..., keepdims: bool = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """True when none is zero; true of nothing."""
def var(x: Tensor, axes: Axis = ..., keepdims: bool = ..., correction: float = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Variance over axes: sum of squared distances from the mean over (n - correction), at least 0. Two passes. Of complex numbers it is real."""
def cumsum(x: Tensor, axis: int = ..., dtype: Optional[DType] = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Running sum along axis; dtypes as sum. The bound is relative to the sum of magnitudes."""
def softmax(x: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """exp(x - max) / sum(exp(x - max)) along axis."""
def log_softmax(x: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """x - max - log(sum(exp(x - max))) along axis. The bound is relative to the largest term."""
def cumprod(x: Tensor, axis: int = ..., dtype: Optional[DType] = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Running product along axis; dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP."""
def matmul(a: Tensor, b: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Matrix product: [.., m, k] x [.., k, n] -> [.., m, n], batches broadcast; a 1-D a is a row and a 1-D b a column, dropped again from the result. Equal dtypes; f16 and bf16 are accumulated in f32, integers wrap, of bools it is any(a and b). Error: at most (k + 2) * eps * (|a| x |b|) for each element; larger for f32 where bp_set_matmul_precision allows it."""
def concat(tensors: Sequence[Tensor], axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Tensors joined along an axis they have; dtypes promote."""
def stack(tensors: Sequence[Tensor], axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Tensors of one shape joined along a new axis."""
def gather(x: Tensor, index: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """out[.., j, ..] = x[.., index[.., j, ..], ..]: index has x's rank and, off the axis, sizes no larger than x's. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu."""
def index_select(x: Tensor, index: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Slices of x along axis, in the order of the 1-D index."""
def take_along(x: Tensor, index: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """gather with x and index broadcast against each other off the axis; indices may be negative."""
def one_hot(x: Tensor, num_classes: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """i64 with a new last axis of num_classes: 1 at x, else 0. Values outside 0 .. num_classes - 1 are errors on the cpu."""
def arange(start: Number, end: Number, step: Number, dtype: Optional[DType] = ..., *, device: Optional[Device] = ..., out: Optional[Tensor] = ...) -> Tensor:
    """start + i * step for i in 0 .. ceil((end - start) / step) - 1; in i64 for integers, in f64 for floats, then rounded. Without a dtype: i64 when all three are integers, else the default float dtype."""
def linspace(start: Number, end: Number, steps: int = ..., dtype: Optional[DType] = ..., *, device: Optional[Device] = ..., out: Optional[Tensor] = ...) -> Tensor:
    """steps points from start to end, both included, computed in f64 from the nearer end: start + i * range / n in the first half, end - (n - i) * range / n in the second, range = end - start, n = steps - 1."""
def sort(x: Tensor, axis: int = ..., descending: bool = ..., *, axes: int = ..., dim: int = ...) -> Tuple[Tensor, Tensor]:
    """Stable sort along axis; NaN is the largest. indices: where each value came from (i64)."""
def argsort(x: Tensor, axis: int = ..., descending: bool = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """The indices of sort."""
def topk(x: Tensor, k: int = ..., axis: int = ..., largest: bool = ..., *, axes: int = ..., dim: int = ...) -> Tuple[Tensor, Tensor]:
    """The k largest (or smallest) along axis, best first, ties by position; NaN is the largest."""
def uniform(shape: Shape = ..., dtype: Optional[DType] = ..., low: float = ..., high: float = ..., seed: int = ..., offset: int = ..., *, device: Optional[Device] = ..., out: Optional[Tensor] = ...) -> Tensor:
    """low + (high - low) * u, u in [0, 1): (w0 >> 8) / 2^24 for f32, f16 and bf16 (the f32 result rounded down), ((w0 >> 5) * 2^26 + (w1 >> 6)) / 2^53 for f64."""
def normal(shape: Shape = ..., dtype: Optional[DType] = ..., mean: float = ..., std: float = ..., seed: int = ..., offset: int = ..., *, device: Optional[Device] = ..., out: Optional[Tensor] = ...) -> Tensor:
    """mean + std * sqrt(-2 ln((w0 + 1) / 2^32)) * cos(2 pi w1 / 2^32) (Box and Muller, 1958). Devices agree within the bound, or 1e-6 std for f32 and narrower."""
def randint(shape: Shape = ..., dtype: Optional[DType] = ..., low: int = ..., high: int = ..., seed: int = ..., offset: int = ..., *, device: Optional[Device] = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Integers in [low, high): low + floor((w0 + w1 * 2^32) * (high - low) / 2^64)."""
def bernoulli(shape: Shape = ..., dtype: Optional[DType] = ..., p: float = ..., seed: int = ..., offset: int = ..., *, device: Optional[Device] = ..., out: Optional[Tensor] = ...) -> Tensor:
    """1 with probability p, else 0: (w0 >> 8) / 2^24 < p."""
def signbit(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """True where the sign bit is set: x < 0, and -0 and NaN of that sign."""
def bitwise_not(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """~x of integers; of bools it is logical not."""
def softplus(x: Tensor, beta: float = ..., threshold: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """log(1 + exp(beta * x)) / beta; x itself where beta * x is above threshold."""
def elu(x: Tensor, alpha: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """x where x > 0, else alpha * (exp(x) - 1)."""
def leaky_relu(x: Tensor, negative_slope: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """x where x > 0, else negative_slope * x."""
def hardswish(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """x * min(max(x + 3, 0), 6) / 6."""
def hardsigmoid(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """min(max(x + 3, 0), 6) / 6."""
def mish(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """x * tanh(softplus(x))."""
def gelu_tanh(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2: gelu with approximate='tanh'. The bound is relative to x where x is negative."""
def hardtanh(x: Tensor, min_val: float = ..., max_val: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """x kept within min_val and max_val; NaN stays NaN."""
def relu6(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """min(max(x, 0), 6); NaN stays NaN."""
def nan_to_num(x: Tensor, nan: float = ..., posinf: float = ..., neginf: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """x with NaN, inf and -inf replaced: by nan, posinf (none: the dtype's largest) and neginf (none: its lowest). Integers as they are."""
def clip(x: Operand, min: Optional[Operand] = ..., max: Optional[Operand] = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """min(max(x, min), max), bounds broadcast; max where min > max; NaN where an operand is. PyTorch's clamp."""
def lerp(start: Operand, end: Operand, weight: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """start + weight * (end - start), computed from the nearer end. The bound is relative to the largest term."""
def lgamma(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """log(abs(gamma(x))): inf at 0 and negative integers. Below 0 the error is that bound of the largest term of log(pi / abs(sin(pi x))) - lgamma(1 - x)."""
def digamma(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """The derivative of lgamma: -inf at 0, inf at -0, NaN at negative integers. The bound is relative to the largest of the result, log(x + 10) and 1 / x."""
def addcmul(x: Operand, a: Operand, b: Operand, value: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """x + value * a * b. Integers wrap, and take the whole part of value. The bound is relative to the largest term."""
def addcdiv(x: Operand, a: Operand, b: Operand, value: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """x + value * a / b; integers give the default float dtype. The bound is relative to the largest term."""
def kthvalue(x: Tensor, k: int = ..., axis: int = ..., *, axes: int = ..., dim: int = ...) -> Tuple[Tensor, Tensor]:
    """The k-th least element along axis, which stays with size 1, and its place; k counts from 1, ties by position, NaN is the largest."""
def std(x: Tensor, axes: Axis = ..., keepdims: bool = ..., correction: float = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Standard deviation over axes: the square root of var."""
def logsumexp(x: Tensor, axes: Axis = ..., keepdims: bool = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """log(sum(exp(x))) over axes without overflow on the way; -inf of nothing. The bound is relative to the largest term."""
def vector_norm(x: Tensor, axes: Axis = ..., keepdims: bool = ..., ord: float = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """sum(|x|^ord)^(1/ord) over axes; ord inf and -inf: the largest and the smallest |x|, 0: how many are not zero. Of complex numbers it is real. The gradient is 0 where the norm is."""
def count_nonzero(x: Tensor, axes: Axis = ..., keepdims: bool = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """How many are not zero over axes (i64); NaN is not."""
def diff(x: Tensor, n: int = ..., axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Differences of neighbours along axis, n times; of bools whether they differ."""
def roll(x: Tensor, shift: Axis = ..., axis: Axis = ..., *, axes: Axis = ..., dim: Axis = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Elements moved by shift along axis, what falls off coming in again; without axis as one line."""
def repeat(x: Tensor, repeats: int = ..., axis: Axis = ..., *, axes: Axis = ..., dim: Axis = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Each element of axis repeats times in a row; without axis of the flattened tensor. PyTorch's repeat_interleave."""
def tile(x: Tensor, repetitions: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The whole repeated along each of the last axes."""
def tril(x: Tensor, diagonal: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """Of each matrix the elements on and below the diagonal (counted to the right), else 0."""
def triu(x: Tensor, diagonal: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """Of each matrix the elements on and above the diagonal (counted to the right), else 0."""
def pad(x: Tensor, pad: Axis = ..., mode: str = ..., value: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """Elements added before and after: pad holds two numbers for the last axis, then for the one before it, ...; negative ones take away. mode: constant (value), reflect (without the edge), replicate (the edge), circular (of what negative numbers leave)."""
def outer(a: Tensor, b: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """out[i, j] = a[i] * b[j] of two 1-D tensors."""
def vecdot(a: Tensor, b: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Sum of a * b along axis, of conj(a) * b where they are complex, broadcast elsewhere. Error as matmul."""
def tensordot(a: Tensor, b: Tensor, axes_a: Axis = ..., axes_b: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """Sum of products over axes_a of a and axes_b of b, pair by pair; what is left of a, then of b. Error as matmul."""
def trace(x: Tensor, offset: int = ..., dtype: Optional[DType] = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """Sum along the diagonal of each matrix, offset to the right; dtypes and bound as sum."""
def cross(a: Tensor, b: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Vector product along an axis of 3. The bound is relative to the products that are subtracted."""
def kron(a: Tensor, b: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Kronecker product: every element of a times the whole of b, in its place."""
def scatter(x: Tensor, index: Tensor, src: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """x with out[.., index[.., j, ..], ..] = src[.., j, ..]; of equal indices the last wins. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu."""
def scatter_add(x: Tensor, index: Tensor, src: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """scatter that adds, in the order of j on every device. Of bools it is logical or. The bound is relative to the sum of magnitudes, for a few terms."""
def index_add(x: Tensor, index: Tensor, source: Tensor, axis: int = ..., alpha: float = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """x with alpha * slice j of source added to slice index[j] along axis, in the order of j."""
def masked_fill(x: Operand, mask: Operand, value: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """x, and value (a number or 0-dim) where mask is true; mask and x broadcast."""
def searchsorted(sorted_sequence: Tensor, values: Tensor, right: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """For each value the first position (i64) in the sorted 1-D sequence whose element is not less than it; right: is greater. NaN is the largest."""
def einsum(operands: Sequence[Tensor], equation: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """Sums of products: a letter of the equation names an axis, as in "bij,bjk->bik"; letters that the result does not have are summed, "..." stands for the axes without one, and without "->" the result has the letters that stand once, in alphabetical order. Operands are joined from the left. Error as matmul."""
def linear(x: Tensor, weight: Tensor, bias: Optional[Tensor] = ..., activation: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """x weight^T + bias: [.., in] with a weight [out, in] and a bias [out] is [.., out]; activation is none or relu, of the sum. Equal dtypes. Error as matmul, and one rounding of the result for the bias."""
def mse_loss(input: Tensor, target: Tensor, reduction: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """(input - target)^2. reduction: none, mean or sum."""
def l1_loss(input: Tensor, target: Tensor, reduction: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """|input - target|. reduction: none, mean or sum."""
def huber_loss(input: Tensor, target: Tensor, reduction: str = ..., delta: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """d^2 / 2 where d = |input - target| is below delta, else delta * (d - delta / 2). reduction: none, mean or sum."""
def smooth_l1_loss(input: Tensor, target: Tensor, reduction: str = ..., beta: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """d^2 / (2 * beta) where d = |input - target| is below beta, else d - beta / 2."""
def binary_cross_entropy(input: Tensor, target: Tensor, weight: Optional[Tensor] = ..., reduction: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """-(target * log(input) + (1 - target) * log(1 - input)), logarithms at least -100, times weight."""
def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Optional[Tensor] = ..., pos_weight: Optional[Tensor] = ..., reduction: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """binary_cross_entropy of sigmoid(input) without its overflow; pos_weight weighs positive targets."""
def nll_loss(input: Tensor, target: Tensor, weight: Optional[Tensor] = ..., ignore_index: int = ..., reduction: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """-weight[target] * input[.., target, ..] for input [N, C, ..] or [C]; 0 where target is ignore_index. The mean is that of weights."""
def cross_entropy(input: Tensor, target: Tensor, weight: Optional[Tensor] = ..., ignore_index: int = ..., reduction: str = ..., label_smoothing: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """nll_loss of log_softmax(input); a floating target holds probabilities of classes. label_smoothing mixes in the uniform distribution."""
def batch_norm_running(x: Tensor, running_mean: Tensor, running_var: Tensor, momentum: float = ...) -> Tuple[Tensor, Tensor]:
    """The running statistics after a batch x [N, C, ..] of batch_norm's training: (1 - momentum) * running + momentum * x's own, the variance with n - 1. Written in place by giving them as results."""
def layer_norm(x: Tensor, weight: Optional[Tensor] = ..., bias: Optional[Tensor] = ..., normalized_shape: Axis = ..., eps: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """(x - mean) / sqrt(var + eps) * weight + bias over the last dims, var without correction. The bound is relative to the largest term."""
def rms_norm(x: Tensor, weight: Optional[Tensor] = ..., normalized_shape: Axis = ..., eps: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """x / sqrt(mean(x^2) + eps) * weight over the last dims; eps none: the dtype's epsilon (f32's for halves)."""
def batch_norm(x: Tensor, running_mean: Optional[Tensor] = ..., running_var: Optional[Tensor] = ..., weight: Optional[Tensor] = ..., bias: Optional[Tensor] = ..., training: bool = ..., eps: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """x [N, C, ..] normalized for each channel by the running statistics, or in training by its own mean and variance; running statistics are not changed. The bound is relative to the largest term."""
def group_norm(x: Tensor, weight: Optional[Tensor] = ..., bias: Optional[Tensor] = ..., num_groups: int = ..., eps: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """x [N, C, ..] normalized over each of num_groups groups of channels. The bound is relative to the largest term."""
def embedding(input: Tensor, weight: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Row input[..] of weight for each index; indices as index_select."""
def dropout(x: Tensor, p: float = ..., seed: int = ..., offset: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """x / (1 - p) where bernoulli(1 - p) of the same seed and offset is 1, else 0."""
def scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Optional[Tensor] = ..., is_causal: bool = ..., scale: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """softmax(query x key^T * scale + attn_mask) x value. scale none: 1 / sqrt(E). A bool mask is true where a key takes part (none: 0); is_causal: keys up to the query's own position. The bound is relative to the largest value."""
def rope(x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """Rotary positions (Su et al., 2021): pairs (a, b) of the last dim's halves, or of neighbours when interleaved, become (a cos - b sin, b cos + a sin); cos and sin are of half its size. The bound is relative to the products."""
def max_pool2d_with_indices(input: Tensor, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., ceil_mode: bool = ...) -> Tuple[Tensor, Tensor]:
    """max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones."""
def max_pool3d_with_indices(input: Tensor, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., ceil_mode: bool = ...) -> Tuple[Tensor, Tensor]:
    """max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones."""
def conv1d(input: Tensor, weight: Tensor, bias: Optional[Tensor] = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., groups: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul."""
def conv2d(input: Tensor, weight: Tensor, bias: Optional[Tensor] = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., groups: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul."""
def conv3d(input: Tensor, weight: Tensor, bias: Optional[Tensor] = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., groups: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul."""
def conv_transpose1d(input: Tensor, weight: Tensor, bias: Optional[Tensor] = ..., stride: Axis = ..., padding: Axis = ..., output_padding: Axis = ..., groups: int = ..., dilation: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul."""
def conv_transpose2d(input: Tensor, weight: Tensor, bias: Optional[Tensor] = ..., stride: Axis = ..., padding: Axis = ..., output_padding: Axis = ..., groups: int = ..., dilation: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul."""
def conv_transpose3d(input: Tensor, weight: Tensor, bias: Optional[Tensor] = ..., stride: Axis = ..., padding: Axis = ..., output_padding: Axis = ..., groups: int = ..., dilation: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul."""
def max_pool1d(input: Tensor, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., ceil_mode: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The largest of each window; NaN when one is there. stride none: kernel_size."""
def max_pool2d(input: Tensor, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., ceil_mode: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The largest of each window; NaN when one is there. stride none: kernel_size."""
def avg_pool1d(input: Tensor, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., ceil_mode: bool = ..., count_include_pad: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind."""
def avg_pool2d(input: Tensor, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., ceil_mode: bool = ..., count_include_pad: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind."""
def adaptive_avg_pool1d(input: Tensor, output_size: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The mean over output_size windows that share the input evenly. The bound is of sum's kind."""
def adaptive_avg_pool2d(input: Tensor, output_size: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The mean over output_size windows that share the input evenly. The bound is of sum's kind."""
def interpolate(input: Tensor, size: Axis = ..., mode: str = ..., align_corners: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """input [N, C, sizes] at other sizes: nearest, nearest-exact, linear, bilinear, trilinear, bicubic, or area, the mean of what an element covers. The bound is relative to the largest term."""
def max_pool3d(input: Tensor, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., ceil_mode: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The largest of each window; NaN when one is there. stride none: kernel_size."""
def avg_pool3d(input: Tensor, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., ceil_mode: bool = ..., count_include_pad: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind."""
def adaptive_avg_pool3d(input: Tensor, output_size: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The mean over output_size windows that share the input evenly. The bound is of sum's kind."""
def adaptive_max_pool1d(input: Tensor, output_size: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The largest of output_size windows that share the input evenly; NaN when one is there."""
def adaptive_max_pool2d(input: Tensor, output_size: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The largest of output_size windows that share the input evenly; NaN when one is there."""
def adaptive_max_pool3d(input: Tensor, output_size: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The largest of output_size windows that share the input evenly; NaN when one is there."""
def max_pool1d_with_indices(input: Tensor, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., ceil_mode: bool = ...) -> Tuple[Tensor, Tensor]:
    """max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones."""
def real(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """The real parts, of c64 as f32 and of c128 as f64; real numbers as they are. A copy: bp_tensor_view_as_real gives views."""
def imag(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """The imaginary parts of complex numbers, as real's."""
def conj(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """The imaginary parts with the other sign; real numbers as they are."""
def angle(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """atan2(imaginary, real), in [-pi, pi]; of real numbers pi below zero, else 0, and NaN of NaN."""
def complex(real: Operand, imag: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """Complex numbers of real and imaginary parts, which broadcast: c64 of f32, c128 of f64."""
def polar(abs: Operand, angle: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
    """abs * cos(angle) + abs * sin(angle) i; dtypes as complex's."""
def interpolate_v2(input: Tensor, size: Axis = ..., mode: str = ..., align_corners: bool = ..., scale_d: float = ..., scale_h: float = ..., scale_w: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """interpolate, whose elements are 1 / scale apart in input where a scale of that dim (the last one's is scale_w) is above 0, as PyTorch's are after scale_factor; else as far as the sizes say."""
def im2col(input: Tensor, kernel_size: Axis = ..., dilation: Axis = ..., padding: Axis = ..., stride: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The windows of images [N, C, H, W] or [C, H, W], zeros around them, as columns [N, C * kernel, windows]: PyTorch's unfold."""
def col2im(input: Tensor, output_size: Axis = ..., kernel_size: Axis = ..., dilation: Axis = ..., padding: Axis = ..., stride: Axis = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """Columns as im2col's, added up where windows overlap, to images of output_size: PyTorch's fold. The bound is of sum's kind."""
def cholesky(a: Tensor, upper: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The lower triangular L with L L^H = A of a Hermitian positive-definite A (upper: U with U^H U = A); one triangle of A is read. A that is not positive-definite is refused. Error: |L L^H - A| at most 4 n eps |A|."""
def lu_factor(a: Tensor) -> Tuple[Tensor, Tensor]:
    """P L U = A with partial pivoting: L without its unit diagonal below U in one matrix; pivots (i32, from 1): row i was exchanged with row pivots[i]. A singular A has factors too."""
def solve_triangular(a: Tensor, b: Tensor, upper: bool = ..., left: bool = ..., unitriangular: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """X with A X = B (left false: X A = B) for a triangular A, of which only that triangle is read (unitriangular: without its diagonal); batches broadcast. A zero on the diagonal gives inf or NaN."""
def solve(a: Tensor, b: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """X with A X = B for square A; a 1-D B is one vector, batches of matrices broadcast. A singular A is refused. Error: |A X - B| at most 8 n eps (|A| |X| + |B|)."""
def inv(a: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """The inverse of square matrices; a singular one is refused."""
def qr(a: Tensor, complete: bool = ...) -> Tuple[Tensor, Tensor]:
    """Q R = A with Q's columns orthonormal, R upper triangular: min(m, n) columns, complete: all m. By Householder reflections, so that R's diagonal may be negative."""
def svd(a: Tensor, full_matrices: bool = ...) -> Tuple[Tensor, Tensor, Tensor]:
    """U diag(S) Vh = A with U and Vh unitary and S real, falling. full_matrices false: min(m, n) columns and rows. Error: |U diag(S) Vh - A| at most 16 max(m, n) eps |A|."""
def svdvals(a: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """The S of svd."""
def eigh(a: Tensor, upper: bool = ...) -> Tuple[Tensor, Tensor]:
    """A V = V diag(w) of a Hermitian A, of which the lower triangle is read (upper: that): w real, rising; V unitary."""
def eigvalsh(a: Tensor, upper: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The eigenvalues of eigh."""
def det(a: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """The determinants of square matrices, by lu_factor."""
def slogdet(a: Tensor) -> Tuple[Tensor, Tensor]:
    """Sign (of modulus 1, or 0) and logarithm of the modulus of det; -inf of a singular matrix."""
def matrix_rank(a: Tensor, atol: float = ..., rtol: float = ..., hermitian: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """How many singular values (hermitian: moduli of eigenvalues) are above max(atol, rtol * the largest), in i64. Below 0 is not given: rtol is then max(m, n) * eps, or 0 where atol is above 0."""
def pinv(a: Tensor, atol: float = ..., rtol: float = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The Moore-Penrose inverse, by svd; singular values that matrix_rank would not count are taken for 0."""
def matrix_power(a: Tensor, n: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """A multiplied n times with itself; the inverse's power for n below 0, the identity for 0."""
def matrix_norm(a: Tensor, ord: str = ..., keepdims: bool = ..., *, keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Of each matrix, by ord: 'fro', the root of the sum of squares; 'nuc', the sum of singular values; '2' and '-2', the largest and the least of them; '1' and '-1', of the columns' sums of moduli; 'inf' and '-inf', of the rows'."""
def lstsq(a: Tensor, b: Tensor, rcond: float = ...) -> Tuple[Tensor, Tensor, Tensor]:
    """The shortest X for which |A X - B| is least, by svd: singular values up to rcond times the largest are taken for 0; below 0: max(m, n) * eps."""
def eig(a: Tensor) -> Tuple[Tensor, Tensor]:
    """A V = V diag(w) of any square A: w and V complex, in no order, the columns of V of length 1. Their phases are free, so that a gradient is that of what does not depend on them. Infinities and NaN are refused."""
def eigvals(a: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """The eigenvalues of eig."""
def cdist(x1: Tensor, x2: Tensor, p: float = ..., compute_mode: str = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The p-norm of x1[.., i, :] - x2[.., j, :]; batches broadcast. Above 25 rows, for p = 2, the squares come from a product of matrices, with the error of |x1|^2 + |x2|^2, unless compute_mode is 'donot_use_mm_for_euclid_dist'."""
def fft_c2c(x: Tensor, axis: int = ..., inverse: bool = ..., scale: float = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """scale * sum over j of x[j] exp(-2 pi i j k / n) along axis (inverse: exp(+...)). Error of a line, in the 2-norm: at most 1e-7 log2(4 n) of the result's for c64, 2e-16 log2(4 n) for c128."""
def fft_r2c(x: Tensor, axis: int = ..., scale: float = ..., conj: bool = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """fft_c2c of real numbers: its first n/2 + 1 results along axis, of which the others are conjugates (conj: the conjugates of these)."""
def fft_c2r(x: Tensor, axis: int = ..., n: int = ..., scale: float = ..., conj: bool = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """The n real numbers along axis whose spectrum's first n/2 + 1 are x: fft_c2c's inverse of it. What must be real of x is taken for real. conj: x is taken for its conjugate."""
def fft(x: Tensor, n: int = ..., axis: int = ..., norm: str = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """The discrete Fourier transform along axis, of n elements: x is cut, or followed by zeros; -1: as many as there are. norm: which direction is divided by n: 'backward', 'forward', or 'ortho', both by its square root."""
def ifft(x: Tensor, n: int = ..., axis: int = ..., norm: str = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """The inverse of fft."""
def fftn(x: Tensor, s: Axis = ..., axes: Axis = ..., norm: str = ..., *, axis: Axis = ..., dim: Axis = ..., out: Optional[Tensor] = ...) -> Tensor:
    """fft along each of axes (none given: the last as many as s has, or all), of s elements each."""
def ifftn(x: Tensor, s: Axis = ..., axes: Axis = ..., norm: str = ..., *, axis: Axis = ..., dim: Axis = ..., out: Optional[Tensor] = ...) -> Tensor:
    """The inverse of fftn."""
def rfft(x: Tensor, n: int = ..., axis: int = ..., norm: str = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """The first n/2 + 1 results of fft of real numbers."""
def irfft(x: Tensor, n: int = ..., axis: int = ..., norm: str = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """The inverse of rfft: n real numbers (-1: 2 (m - 1), m the size of axis) of half a spectrum."""
def rfftn(x: Tensor, s: Axis = ..., axes: Axis = ..., norm: str = ..., *, axis: Axis = ..., dim: Axis = ..., out: Optional[Tensor] = ...) -> Tensor:
    """rfft along the last of axes, fft along the others; see fftn."""
def irfftn(x: Tensor, s: Axis = ..., axes: Axis = ..., norm: str = ..., *, axis: Axis = ..., dim: Axis = ..., out: Optional[Tensor] = ...) -> Tensor:
    """The inverse of rfftn; the last of s as irfft's n."""
def hfft(x: Tensor, n: int = ..., axis: int = ..., norm: str = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """The real fft of Hermitian numbers of which x is the first half; n as irfft's."""
def ihfft(x: Tensor, n: int = ..., axis: int = ..., norm: str = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """The inverse of hfft."""
def nonzero(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """Where x is not zero, in row-major order: i64 [count, rank of x], an index in each row. Waits for the device."""
def flat_nonzero(mask: Tensor, size: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """The first `size` row-major positions at which mask is true, in order; -1 after the last. Waits for nobody."""
def masked_select(x: Tensor, mask: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """The elements of x at which mask is true, in row-major order, 1-D; x and mask broadcast. Waits for the device."""
def unique(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """The different values of x, ascending, 1-D; each NaN is one of its own. Waits for the device."""
def unique_all(x: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    """unique, and for each value where it first occurs in flattened x and how often; inverse, of x's shape: which value each element is. Waits for the device."""
def index_copy(x: Tensor, index: Tensor, source: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """x with slice j of source in place of slice index[j] along axis; of equal indices the last wins. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu."""
def bincount(x: Tensor, weights: Optional[Tensor] = ..., minlength: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """How often each of 0, 1, .. max(x) is in x, a list of no negative integers, in i64; or the sums of their weights, in f64, of f32 in f32. At least minlength of them. The bound is of sum's kind. Waits for the device."""
def convolution(input: Tensor, weight: Tensor, stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., groups: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """Convolution of input [N, C, size] with weight [O, C / groups, kernel] over one to three dims. Error as matmul."""
def convolution_input_grad(grad: Tensor, weight: Tensor, size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., groups: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """convolution's gradient towards an input of the spatial size; grad is that of its result. Error as matmul."""
def convolution_weight_grad(grad: Tensor, input: Tensor, size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., groups: int = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """convolution's gradient towards a weight whose kernels have the size; grad is that of its result. Error as matmul."""
def max_pool_grad(grad: Tensor, input: Tensor, kernel_size: Axis = ..., stride: Axis = ..., padding: Axis = ..., dilation: Axis = ..., ceil_mode: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """max_pool's gradient towards its input [N, C, size]: grad, that of its result, where each window's largest is, the first of equal ones."""
def layer_norm_grad(grad: Tensor, x: Tensor, weight: Optional[Tensor] = ..., normalized_shape: Axis = ..., eps: float = ...) -> Tuple[Tensor, Tensor, Tensor]:
    """layer_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the largest term."""
def rms_norm_grad(grad: Tensor, x: Tensor, weight: Optional[Tensor] = ..., normalized_shape: Axis = ..., eps: float = ...) -> Tuple[Tensor, Tensor]:
    """rms_norm's gradients towards x and weight: grad is that of its result. The bound is relative to the largest term."""
def batch_norm_grad(grad: Tensor, x: Tensor, running_mean: Optional[Tensor] = ..., running_var: Optional[Tensor] = ..., weight: Optional[Tensor] = ..., training: bool = ..., eps: float = ...) -> Tuple[Tensor, Tensor, Tensor]:
    """batch_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the largest term."""
def group_norm_grad(grad: Tensor, x: Tensor, weight: Optional[Tensor] = ..., num_groups: int = ..., eps: float = ...) -> Tuple[Tensor, Tensor, Tensor]:
    """group_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the largest term."""
def sum_square(x: Tensor, axes: Axis = ..., keepdims: bool = ..., *, axis: Axis = ..., dim: Axis = ..., keepdim: bool = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Sum of squares over axes; 0 of nothing. It is computed as sum is, and a square may leave the dtype's range, that of f32 for halves."""
def lstm_gates(input_gates: Tensor, hidden_gates: Tensor, cell: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    """A step of an LSTM: i, f, g, o [.., 4H] are sigmoid, sigmoid, tanh and sigmoid of input_gates + hidden_gates; next_cell = f * cell + i * g, h = o * tanh(next_cell). The bound is relative to the largest term."""
def lstm_gates_grad(gates: Tensor, cell: Tensor, grad_h: Optional[Tensor] = ..., grad_h2: Optional[Tensor] = ..., grad_next_cell: Optional[Tensor] = ...) -> Tuple[Tensor, Tensor]:
    """lstm_gates' gradients towards both of its gates, which have the same one, and cell: gates is its result, the gradient of h the sum of grad_h and grad_h2. The bound is relative to the largest term."""
def gru_gates(input_gates: Tensor, hidden_gates: Tensor, h: Tensor, hidden_bias: Optional[Tensor] = ...) -> Tuple[Tensor, Tensor]:
    """A step of a GRU, x input_gates and y hidden_gates + hidden_bias, each r, z, n [.., 3H]: r and z are sigmoid of x + y, n = tanh(x + r * y), next_h = n + z * (h - n). gates [.., 4H] are r, z, n and y's n. The bound is relative to the largest term."""
def gru_gates_grad(gates: Tensor, h: Tensor, grad: Optional[Tensor] = ..., grad2: Optional[Tensor] = ..., grad3: Optional[Tensor] = ...) -> Tuple[Tensor, Tensor, Tensor]:
    """gru_gates' gradients towards input_gates, hidden_gates and h: gates is its result, the gradient of next_h the sum of grad, grad2 and grad3. The bound is relative to the largest term."""
def rnn_gates(input_gates: Tensor, hidden_gates: Tensor, relu: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """A step of an RNN: tanh, or relu, of input_gates + hidden_gates. The bound is relative to the largest term."""
def rnn_gates_grad(h: Tensor, grad: Optional[Tensor] = ..., grad2: Optional[Tensor] = ..., relu: bool = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """rnn_gates' gradient towards both of its gates, which have the same one: h is its result, whose gradient is the sum of grad and grad2. The bound is relative to the largest term."""

# Ops that a program registers.
def __getattr__(name: str) -> Any: ...
