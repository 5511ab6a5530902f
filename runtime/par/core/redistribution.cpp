#include "core/redistribution.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace shinar::par {
namespace {

// What the piece shares with parts of the other side: many ranks there have the same part of an
// axis.
class Overlaps {
 public:
  explicit Overlaps(const Piece& piece) : piece_(piece) {}

  std::shared_ptr<const Overlap> with(int axis, const Part& part) {
    auto& known = known_[{axis, part.begin, part.end, part.block, part.period}];
    if (known == nullptr) known = std::make_shared<const Overlap>(overlap(piece_[axis], part));
    return known;
  }

 private:
  using Key = std::tuple<int, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

  const Piece& piece_;
  std::map<Key, std::shared_ptr<const Overlap>> known_;
};

}  // namespace

Redistribution::Redistribution(const Distribution& from, const Distribution& to, Side side,
                               int rank)
    : is_column_major_(from.is_column_major()), rank_(rank) {
  if (from.bounds() != to.bounds()) {
    throw Misfit("an array " + from.bounds().text() + " is not one " + to.bounds().text());
  }
  const Distribution& mine = side == Side::Sends ? from : to;
  const Distribution& theirs = side == Side::Sends ? to : from;
  const Piece piece = mine.piece(rank);
  for (const Part& part : piece) lengths_.push_back(part.size());
  if (size_of(piece) == 0) return;
  Overlaps overlaps(piece);
  for (const int peer : theirs.near(piece)) {
    const Piece other = theirs.piece(peer);
    Message message{peer, {}, 1, nullptr};
    for (int axis = 0; axis < mine.dimension() && message.size > 0; ++axis) {
      message.axes.push_back(overlaps.with(axis, other[axis]));
      message.size *= message.axes.back()->size();
    }
    if (message.size > 0) messages_.push_back(std::move(message));
  }
}

const Message* Redistribution::with(int peer) const {
  const auto found = std::ranges::lower_bound(messages_, peer, {}, &Message::peer);
  return found == messages_.end() || found->peer != peer ? nullptr : &*found;
}

}  // namespace shinar::par
