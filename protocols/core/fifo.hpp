/**
 * A queue that takes no memory until it is used: there are several for each connection, most of
 * which are never used, and an empty std::deque takes half a kilobyte.
 *
 * As std::deque, but a change invalidates all references and iterators.
 */
#ifndef SHINAR_CORE_FIFO_HPP
#define SHINAR_CORE_FIFO_HPP

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace shinar::wire {

/** An empty one keeps at most `Kept` bytes for what comes next. */
template <class T, std::size_t Kept = 1024>
class Fifo {
 public:
  using iterator = typename std::vector<T>::iterator;
  using const_iterator = typename std::vector<T>::const_iterator;

  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size() - first_; }
  iterator begin() { return items_.begin() + static_cast<std::ptrdiff_t>(first_); }
  iterator end() { return items_.end(); }
  const_iterator begin() const { return items_.begin() + static_cast<std::ptrdiff_t>(first_); }
  const_iterator end() const { return items_.end(); }
  T& front() { return items_[first_]; }
  const T& front() const { return items_[first_]; }
  T& back() { return items_.back(); }
  const T& back() const { return items_.back(); }
  T& operator[](std::size_t index) { return items_[first_ + index]; }
  const T& operator[](std::size_t index) const { return items_[first_ + index]; }

  void push_back(T item) { items_.push_back(std::move(item)); }
  void insert(const_iterator before, T item) { items_.insert(before, std::move(item)); }
  void erase(const_iterator at) {
    items_.erase(at);
    tidy();
  }
  template <class Predicate>
  std::size_t erase_if(Predicate predicate) {
    const std::size_t before = size();
    items_.erase(std::remove_if(begin(), end(), std::move(predicate)), end());
    const std::size_t gone = before - size();
    tidy();
    return gone;
  }
  void pop_front() {
    [[maybe_unused]] const T gone = std::move(front());  // nothing it owns is kept
    ++first_;
    tidy();
  }
  void pop_back() {
    items_.pop_back();
    tidy();
  }
  void clear() {
    items_.clear();
    first_ = 0;
    tidy();
  }

 private:
  static constexpr std::size_t kept = Kept / sizeof(T);

  /** None of those that were removed stays when it is empty. */
  void tidy() {
    if (size() == 0) {
      first_ = 0;
      if (items_.capacity() > kept) {
        std::vector<T>().swap(items_);
      } else {
        items_.clear();
      }
    } else if (first_ > kept && first_ > size()) {
      items_.erase(items_.begin(), begin());
      first_ = 0;
    }
  }

  std::vector<T> items_;
  std::size_t first_ = 0;  ///< those before it are gone
};

}  // namespace shinar::wire
#endif
