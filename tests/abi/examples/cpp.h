/* SPDX-License-Identifier: Apache-2.0 */
// The names that the examples of bindings/cpp use.
#include <iostream>
#include <vector>

namespace examples {

namespace bp = backplane;

extern bp::Tensor x, y, w, b, images, labels, batch;
extern bp::Module net;
extern bp::Loader loader;
extern bp::Metric accuracy;
extern std::vector<bp::Tensor> params, losses;
extern std::vector<bp::Device> devices;

}  // namespace examples
