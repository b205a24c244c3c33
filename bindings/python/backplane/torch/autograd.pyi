# SPDX-License-Identifier: Apache-2.0
# Printed by `./dev print` (tools/stubs.py); do not edit.
from ..autograd import (
    Function as Function, FunctionCtx as FunctionCtx, GradFn as GradFn, GradMethods as GradMethods, RemovableHandle as
    RemovableHandle, backward as backward, enable_grad as enable_grad, grad as grad, gradcheck as gradcheck, inference_mode as
    inference_mode, is_grad_enabled as is_grad_enabled, no_grad as no_grad, set_grad_enabled as set_grad_enabled,
)


