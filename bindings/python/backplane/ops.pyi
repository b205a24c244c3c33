# Printed by `./dev print` from the op table (core/ops); do not edit.
from typing import Any, List, Optional, Sequence, Tuple

from ._types import Axis, Device, DType, Number, Operand, Shape
from .tensor import Tensor

__all__: List[str]

class OpMethods:
    def neg(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """-x. Integers wrap; bool is refused."""
    def neg_(self) -> Tensor:
        """-x. Integers wrap; bool is refused."""
    def abs(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """|x|. The most negative integer stays itself."""
    def abs_(self) -> Tensor:
        """|x|. The most negative integer stays itself."""
    def sign(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """-1, 0 or 1 by the sign of x; 0 for NaN, as PyTorch."""
    def sign_(self) -> Tensor:
        """-1, 0 or 1 by the sign of x; 0 for NaN, as PyTorch."""
    def sqrt(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Square root; NaN below zero."""
    def sqrt_(self) -> Tensor:
        """Square root; NaN below zero."""
    def rsqrt(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """1 / sqrt(x); +inf at +0."""
    def rsqrt_(self) -> Tensor:
        """1 / sqrt(x); +inf at +0."""
    def square(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """x * x. Integers wrap."""
    def square_(self) -> Tensor:
        """x * x. Integers wrap."""
    def reciprocal(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """1 / x."""
    def reciprocal_(self) -> Tensor:
        """1 / x."""
    def exp(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """e to the x."""
    def exp_(self) -> Tensor:
        """e to the x."""
    def expm1(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """exp(x) - 1, accurate near zero."""
    def expm1_(self) -> Tensor:
        """exp(x) - 1, accurate near zero."""
    def log(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Natural logarithm; -inf at zero, NaN below."""
    def log_(self) -> Tensor:
        """Natural logarithm; -inf at zero, NaN below."""
    def log1p(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """log(1 + x), accurate near zero."""
    def log1p_(self) -> Tensor:
        """log(1 + x), accurate near zero."""
    def sin(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Sine, x in radians."""
    def sin_(self) -> Tensor:
        """Sine, x in radians."""
    def cos(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Cosine, x in radians."""
    def cos_(self) -> Tensor:
        """Cosine, x in radians."""
    def tan(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Tangent, x in radians."""
    def tan_(self) -> Tensor:
        """Tangent, x in radians."""
    def tanh(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Hyperbolic tangent."""
    def tanh_(self) -> Tensor:
        """Hyperbolic tangent."""
    def sigmoid(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """1 / (1 + exp(-x))."""
    def sigmoid_(self) -> Tensor:
        """1 / (1 + exp(-x))."""
    def relu(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """max(x, 0); NaN stays NaN."""
    def relu_(self) -> Tensor:
        """max(x, 0); NaN stays NaN."""
    def gelu(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """x * (1 + erf(x / sqrt 2)) / 2, the exact form (Hendrycks and Gimpel, 2016)."""
    def gelu_(self) -> Tensor:
        """x * (1 + erf(x / sqrt 2)) / 2, the exact form (Hendrycks and Gimpel, 2016)."""
    def silu(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """x * sigmoid(x)."""
    def silu_(self) -> Tensor:
        """x * sigmoid(x)."""
    def erf(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Error function."""
    def erf_(self) -> Tensor:
        """Error function."""
    def floor(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Largest integer not above x; integers as they are."""
    def floor_(self) -> Tensor:
        """Largest integer not above x; integers as they are."""
    def ceil(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Smallest integer not below x; integers as they are."""
    def ceil_(self) -> Tensor:
        """Smallest integer not below x; integers as they are."""
    def round(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Nearest integer, halves to even."""
    def round_(self) -> Tensor:
        """Nearest integer, halves to even."""
    def trunc(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """Nearest integer towards zero."""
    def trunc_(self) -> Tensor:
        """Nearest integer towards zero."""
    def isnan(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """True where x is NaN."""
    def isnan_(self) -> Tensor:
        """True where x is NaN."""
    def isinf(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """True where x is +inf or -inf."""
    def isinf_(self) -> Tensor:
        """True where x is +inf or -inf."""
    def logical_not(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """True where x is zero."""
    def logical_not_(self) -> Tensor:
        """True where x is zero."""
    def add(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a + b. Integers wrap; of bools it is logical or."""
    def add_(self, b: Operand) -> Tensor:
        """a + b. Integers wrap; of bools it is logical or."""
    def sub(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a - b. Integers wrap; two bools are refused."""
    def sub_(self, b: Operand) -> Tensor:
        """a - b. Integers wrap; two bools are refused."""
    def mul(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a * b. Integers wrap; of bools it is logical and."""
    def mul_(self, b: Operand) -> Tensor:
        """a * b. Integers wrap; of bools it is logical and."""
    def div(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """True division; integers give the default float dtype."""
    def div_(self, b: Operand) -> Tensor:
        """True division; integers give the default float dtype."""
    def floor_divide(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """Quotient rounded towards -inf, as Python's //. Integers stay integers; an integer divided by 0 is 0. Floating quotients beyond an eighth of 2^p (p bits of precision) may be off by one."""
    def floor_divide_(self, b: Operand) -> Tensor:
        """Quotient rounded towards -inf, as Python's //. Integers stay integers; an integer divided by 0 is 0. Floating quotients beyond an eighth of 2^p (p bits of precision) may be off by one."""
    def remainder(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a - b * floor(a / b), the sign of b, as Python's %. An integer modulo 0 is 0."""
    def remainder_(self, b: Operand) -> Tensor:
        """a - b * floor(a / b), the sign of b, as Python's %. An integer modulo 0 is 0."""
    def pow(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a to the b. Integers stay integers and wrap; to a negative integer tensor they give 0, except 1 and -1."""
    def pow_(self, b: Operand) -> Tensor:
        """a to the b. Integers stay integers and wrap; to a negative integer tensor they give 0, except 1 and -1."""
    def maximum(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """The larger; NaN when either is."""
    def maximum_(self, b: Operand) -> Tensor:
        """The larger; NaN when either is."""
    def minimum(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """The smaller; NaN when either is."""
    def minimum_(self, b: Operand) -> Tensor:
        """The smaller; NaN when either is."""
    def eq(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a == b, as bool."""
    def eq_(self, b: Operand) -> Tensor:
        """a == b, as bool."""
    def ne(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a != b, as bool."""
    def ne_(self, b: Operand) -> Tensor:
        """a != b, as bool."""
    def lt(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a < b, as bool."""
    def lt_(self, b: Operand) -> Tensor:
        """a < b, as bool."""
    def le(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a <= b, as bool."""
    def le_(self, b: Operand) -> Tensor:
        """a <= b, as bool."""
    def gt(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a > b, as bool."""
    def gt_(self, b: Operand) -> Tensor:
        """a > b, as bool."""
    def ge(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a >= b, as bool."""
    def ge_(self, b: Operand) -> Tensor:
        """a >= b, as bool."""
    def logical_and(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """Both are not zero."""
    def logical_and_(self, b: Operand) -> Tensor:
        """Both are not zero."""
    def logical_or(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """At least one is not zero."""
    def logical_or_(self, b: Operand) -> Tensor:
        """At least one is not zero."""
    def logical_xor(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """Exactly one is not zero."""
    def logical_xor_(self, b: Operand) -> Tensor:
        """Exactly one is not zero."""
    def bitwise_and(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a & b of integers or bools."""
    def bitwise_and_(self, b: Operand) -> Tensor:
        """a & b of integers or bools."""
    def bitwise_or(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a | b of integers or bools."""
    def bitwise_or_(self, b: Operand) -> Tensor:
        """a | b of integers or bools."""
    def bitwise_xor(self, b: Operand, *, out: Optional[Tensor] = ...) -> Tensor:
        """a ^ b of integers or bools."""
    def bitwise_xor_(self, b: Operand) -> Tensor:
        """a ^ b of integers or bools."""
    def where(self, x: Tensor, y: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
        """x where condition is true, else y; all broadcast."""
    def where_(self, x: Tensor, y: Tensor) -> Tensor:
        """x where condition is true, else y; all broadcast."""
    def cast(self, dtype: Optional[DType] = ..., *, out: Optional[Tensor] = ...) -> Tensor:
        """x in another dtype. Float to integer truncates towards zero, NaN gives 0 and values out of range saturate, on every device; integers wrap; to bool: is not zero; complex to real drops the imaginary part."""
    def cast_(self, dtype: Optional[DType] = ...) -> Tensor:
        """x in another dtype. Float to integer truncates towards zero, NaN gives 0 and values out of range saturate, on every device; integers wrap; to bool: is not zero; complex to real drops the imaginary part."""
    def copy(self, *, out: Optional[Tensor] = ...) -> Tensor:
        """x's elements, converted to a given output's dtype by the rules of cast."""
    def copy_(self) -> Tensor:
        """x's elements, converted to a given output's dtype by the rules of cast."""
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
        """Variance over axes: sum of squared distances from the mean over (n - correction), at least 0. Two passes."""
    def cumsum(self, axis: int = ..., dtype: Optional[DType] = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """Running sum along axis; dtypes as sum. The bound is relative to the sum of magnitudes."""
    def softmax(self, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """exp(x - max) / sum(exp(x - max)) along axis."""
    def log_softmax(self, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
        """x - max - log(sum(exp(x - max))) along axis. The bound is relative to the largest term."""
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

def neg(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """-x. Integers wrap; bool is refused."""
def abs(x: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """|x|. The most negative integer stays itself."""
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
def where(condition: Tensor, x: Tensor, y: Tensor, *, out: Optional[Tensor] = ...) -> Tensor:
    """x where condition is true, else y; all broadcast."""
def cast(x: Tensor, dtype: Optional[DType] = ..., *, out: Optional[Tensor] = ...) -> Tensor:
    """x in another dtype. Float to integer truncates towards zero, NaN gives 0 and values out of range saturate, on every device; integers wrap; to bool: is not zero; complex to real drops the imaginary part."""
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
    """Variance over axes: sum of squared distances from the mean over (n - correction), at least 0. Two passes."""
def cumsum(x: Tensor, axis: int = ..., dtype: Optional[DType] = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """Running sum along axis; dtypes as sum. The bound is relative to the sum of magnitudes."""
def softmax(x: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """exp(x - max) / sum(exp(x - max)) along axis."""
def log_softmax(x: Tensor, axis: int = ..., *, axes: int = ..., dim: int = ..., out: Optional[Tensor] = ...) -> Tensor:
    """x - max - log(sum(exp(x - max))) along axis. The bound is relative to the largest term."""
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

# Ops that a program registers.
def __getattr__(name: str) -> Any: ...
