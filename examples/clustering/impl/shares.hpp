#pragma once

#include <vector>

/** Shares of points in clusters, by Gibbs distributions. Plain C++, without Shinar. */
namespace shares {

constexpr int moments = 6;  // of 1, x, y, xx, xy, yy

struct Cluster {
  double x;
  double y;
  double weight;
};

/**
 * Adds the moments of `count` points, x and y each, to those of the clusters: one after the other,
 * so that the sums are the same wherever it is done.
 */
void add(const double* points, int count, const std::vector<Cluster>& clusters, double temperature,
         double* sums);

}  // namespace shares
