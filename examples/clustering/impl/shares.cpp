#include "shares.hpp"

#include <algorithm>
#include <cmath>

namespace shares {

// A point at distance d from the centre of a cluster of weight w is shared in proportion to
// w exp(-d^2/T). The smallest d^2 is subtracted first, lest all of these be rounded to zero.
void add(const double* points, int count, const std::vector<Cluster>& clusters, double temperature,
         double* sums) {
  const size_t size = clusters.size();
  std::vector<double> share(size);
  for (const double* point = points; point != points + 2 * count; point += 2) {
    double least = INFINITY;
    for (size_t k = 0; k < size; ++k) {
      const double x = point[0] - clusters[k].x, y = point[1] - clusters[k].y;
      share[k] = x * x + y * y;
      least = std::min(least, share[k]);
    }
    double all = 0;
    for (size_t k = 0; k < size; ++k) {
      share[k] = clusters[k].weight * std::exp((least - share[k]) / temperature);
      all += share[k];
    }
    for (size_t k = 0; k < size; ++k) {
      const double x = point[0] - clusters[k].x, y = point[1] - clusters[k].y;
      const double p = share[k] / all;
      double* const sum = sums + moments * k;
      sum[0] += p;
      sum[1] += p * x;
      sum[2] += p * y;
      sum[3] += p * x * x;
      sum[4] += p * x * y;
      sum[5] += p * y * y;
    }
  }
}

}  // namespace shares
