# SPDX-License-Identifier: Apache-2.0
# Printed by `./dev print` (tools/stubs.py); do not edit.
from . import lr_scheduler as lr_scheduler
from ...optim import (
    Adagrad as Adagrad, Adam as Adam, AdamW as AdamW, CLASSES as CLASSES, Optimizer as Optimizer, ParamGroup as ParamGroup,
    RMSprop as RMSprop, SGD as SGD, clip_grad_norm_ as clip_grad_norm_, clip_grad_value_ as clip_grad_value_,
)


