# SPDX-License-Identifier: Apache-2.0
"""``torch.autograd``: backplane.autograd, under PyTorch's path."""

from ..autograd import (
    Function, FunctionCtx, GradFn, GradMethods, RemovableHandle, backward, enable_grad, grad, gradcheck, inference_mode,
    is_grad_enabled, no_grad, set_grad_enabled,
)
