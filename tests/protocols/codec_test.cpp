/** Encoder and Decoder: what goes in comes out, and nothing else is accepted. */
#include <gtest/gtest.h>

#include <algorithm>

#include "test_host.hpp"

using namespace shinar::wire;

namespace {

/** What the network does, without one. */
Message sent(const Encoder& encoder) {
  Message message;
  std::copy_n(encoder.body(), encoder.body_size(), message.body.extend(encoder.body_size()));
  for (const auto& segment : encoder.segments()) {
    Block block = Block::allocate(segment.size());
    std::memcpy(block.data(), segment.data(), segment.size());
    message.segments.push_back(std::move(block));
  }
  return message;
}

ArrayShape shape_of(Kind kind, std::int32_t lower, std::int32_t upper) {
  ArrayShape shape;
  shape.kind = kind;
  shape.order = Order::column;
  shape.dimension = 1;
  shape.lower[0] = lower;
  shape.upper[0] = upper;
  return shape;
}

}  // namespace

TEST(Codec, EveryBasicType) {
  Encoder encoder;
  encoder.put_bool(true);
  encoder.put('x');
  encoder.put(std::int32_t{-7});
  encoder.put(std::int64_t{1} << 60);
  encoder.put(1.5f);
  encoder.put(-2.25);
  encoder.put_pair(3.0f, 4.0f);
  encoder.put_pair(5.0, 6.0);
  encoder.put_string("salut");
  encoder.put_string("");
  encoder.put_null_string();
  Message message = sent(encoder);
  Decoder decoder(message);
  EXPECT_TRUE(decoder.get_bool());
  EXPECT_EQ(decoder.get<char>(), 'x');
  EXPECT_EQ(decoder.get<std::int32_t>(), -7);
  EXPECT_EQ(decoder.get<std::int64_t>(), std::int64_t{1} << 60);
  EXPECT_EQ(decoder.get<float>(), 1.5f);
  EXPECT_EQ(decoder.get<double>(), -2.25);
  EXPECT_EQ(decoder.get<float>(), 3.0f);
  EXPECT_EQ(decoder.get<float>(), 4.0f);
  EXPECT_EQ(decoder.get<double>(), 5.0);
  EXPECT_EQ(decoder.get<double>(), 6.0);
  bool null = true;
  EXPECT_EQ(decoder.get_string(null), "salut");
  EXPECT_FALSE(null);
  EXPECT_EQ(decoder.get_string(null), "");
  EXPECT_FALSE(null);
  decoder.get_string(null);
  EXPECT_TRUE(null);
  EXPECT_TRUE(decoder.at_end());
}

TEST(Codec, LongStringsAndArraysAreSegments) {
  const std::string text(string_threshold, 'a');
  const std::vector<double> few(bulk_threshold / 8 - 1, 1.0);
  const std::vector<double> many(bulk_threshold / 8, 2.0);
  Encoder encoder;
  put_doubles(encoder, few);
  EXPECT_EQ(encoder.segments().size(), 0u);
  put_doubles(encoder, many);
  EXPECT_EQ(encoder.segments().size(), 1u);
  EXPECT_EQ(encoder.segments()[0].data(), reinterpret_cast<const std::byte*>(many.data()));
  encoder.put_string(text);
  EXPECT_EQ(encoder.segments().size(), 2u);
  EXPECT_EQ(encoder.bulk(), bulk_threshold + string_threshold);

  Message message = sent(encoder);
  Decoder decoder(message);
  const auto first = decoder.get_array(Kind::double_);
  EXPECT_EQ(first.count, few.size());
  EXPECT_EQ(first.block, nullptr);
  const auto second = decoder.get_array(Kind::double_);
  ASSERT_NE(second.block, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second.block->data()) % block_alignment, 0u);
  bool null = true;
  EXPECT_EQ(decoder.get_string(null), text);
}

TEST(Codec, BoundsOrderAndNullTravel) {
  Encoder encoder;
  encoder.put_null_array();
  const std::int32_t values[] = {1, 2, 3};
  encoder.put_array(shape_of(Kind::int_, -1, 1), Bulk::lent(values, sizeof values));
  encoder.put_array(shape_of(Kind::long_, 5, 4), Bulk::lent(nullptr, 0));
  Message message = sent(encoder);
  Decoder decoder(message);
  EXPECT_EQ(decoder.get_array(Kind::int_).shape.dimension, 0);
  const auto three = decoder.get_array(Kind::int_);
  EXPECT_EQ(three.count, 3u);
  EXPECT_EQ(three.shape.lower[0], -1);
  EXPECT_EQ(three.shape.upper[0], 1);
  EXPECT_EQ(three.shape.order, Order::column);
  EXPECT_EQ(std::memcmp(three.data, values, sizeof values), 0);
  const auto none = decoder.get_array(Kind::long_);
  EXPECT_EQ(none.count, 0u);
  EXPECT_EQ(none.shape.dimension, 1);
  EXPECT_EQ(none.shape.lower[0], 5);
}

/** Anything but 0 counted as 1, and of strings as 0: a peer that means something else is not heard.
 */
TEST(Codec, PlacesOfArraysThatAreUnknownAreMalformed) {
  const std::int32_t values[] = {1, 2, 3};
  Encoder encoder;
  encoder.put_array(shape_of(Kind::int_, 0, 2), Bulk::lent(values, sizeof values));
  for (int place = 1; place < 256; ++place) {
    Message message = sent(encoder);
    message.body.data()[3] = static_cast<std::byte>(place);
    Decoder decoder(message);
    EXPECT_THROW(decoder.get_array(Kind::int_), Error) << place;
  }
  Message message;
  std::byte* const head = message.body.extend(24);
  std::memset(head, 0, 24);
  head[0] = static_cast<std::byte>(Kind::string_);
  head[1] = head[2] = head[3] = std::byte{1};
  Decoder decoder(message);
  EXPECT_THROW(decoder.get_array(Kind::string_), Error);
}

/** A string is bytes: what is no UTF-8 arrives as it was sent. */
TEST(Codec, StringsNeedNotBeText) {
  const std::string bytes("\xff\x80 \xc0\xaf \xed\xa0\x80 \0 \x1b[31m", 17);
  Encoder encoder;
  encoder.put_string(bytes);
  Message message = sent(encoder);
  Decoder decoder(message);
  bool null = true;
  EXPECT_EQ(decoder.get_string(null), bytes);
  EXPECT_FALSE(null);
}

TEST(Codec, PartsCanBeSkipped) {
  const std::vector<double> many(bulk_threshold, 2.0);
  Encoder encoder;
  const std::size_t part = encoder.begin_part();
  encoder.put(std::int32_t{1});
  put_doubles(encoder, many);
  encoder.put_string("the receiver knows nothing of this");
  encoder.end_part(part);
  put_doubles(encoder, many);
  encoder.put(std::int32_t{42});
  Message message = sent(encoder);
  Decoder decoder(message);
  const Decoder::Part outer = decoder.enter_part();
  EXPECT_EQ(decoder.get<std::int32_t>(), 1);
  decoder.leave_part(outer);
  EXPECT_EQ(decoder.get_array(Kind::double_).block, &message.segments[1]);
  EXPECT_EQ(decoder.get<std::int32_t>(), 42);
}

TEST(Codec, NestingIsLimited) {
  for (const int depth : {max_nesting, max_nesting + 1}) {
    Encoder encoder;
    std::vector<std::size_t> parts;
    for (int i = 0; i < depth; ++i) parts.push_back(encoder.begin_part());
    for (int i = depth; i-- > 0;) encoder.end_part(parts[static_cast<std::size_t>(i)]);
    Message message = sent(encoder);
    Decoder decoder(message);
    const auto enter_all = [&] {
      for (int i = 0; i < depth; ++i) decoder.enter_part();
    };
    if (depth <= max_nesting) {
      EXPECT_NO_THROW(enter_all());
    } else {
      EXPECT_THROW(enter_all(), Error);
    }
  }
}

/** Frames of the protocol were said to be the fault of methods of users. */
TEST(Codec, OnlyInObjectsByValueIsUnpackObjToBlame) {
  Encoder encoder;
  encoder.end_part(encoder.begin_part());
  Message message = sent(encoder);
  Decoder decoder(message);
  const auto what = [&decoder]() -> std::string {
    try {
      decoder.get<std::int32_t>();
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  const Decoder::Part part = decoder.enter_part();
  EXPECT_EQ(what(),
            "malformed message: a value extends beyond its object: does unpackObj unpack what "
            "packObj has packed?");
  decoder.leave_part(part);
  EXPECT_EQ(what(), "malformed message: a value extends beyond its message");
}

TEST(Codec, TruncatedValuesThrow) {
  Encoder encoder;
  encoder.put(std::int64_t{1});
  encoder.put_string("some text");
  const std::int32_t values[] = {1, 2, 3};
  encoder.put_array(shape_of(Kind::int_, 0, 2), Bulk::lent(values, sizeof values));
  for (std::size_t size = 0; size < encoder.body_size(); ++size) {
    Message message;
    std::copy_n(encoder.body(), size, message.body.extend(size));
    Decoder decoder(message);
    EXPECT_THROW(
        {
          bool null = false;
          decoder.get<std::int64_t>();
          decoder.get_string(null);
          decoder.get_array(Kind::int_);
        },
        Error)
        << size;
  }
}

TEST(Codec, ManyStringsAreThoseOfOneByOne) {
  const std::string longest(string_threshold - 1, 'l');
  const std::string segment(string_threshold, 's');
  Encoder encoder;
  encoder.put<std::uint8_t>(1);
  for (const std::string_view text : {"", "one", "four", "fives"}) encoder.put_string(text);
  encoder.put_null_string();
  encoder.put_string(longest);
  encoder.put_string(segment);
  encoder.put_string("last");
  const std::size_t count = 8;
  Message whole = sent(encoder);
  // Each size where a text begins or ends, and some of those in the midst of the longest one.
  const std::size_t total = encoder.body_size();
  const auto step = [&](std::size_t size) { return size > 100 && size + 200 < total ? 61 : 1; };
  for (std::size_t size = 1; size <= total; size += step(size)) {
    whole.body.clear();
    std::copy_n(encoder.body(), size, whole.body.extend(size));
    std::vector<std::string> one_by_one;
    std::vector<std::string> at_once;
    const auto add = [](std::vector<std::string>& to, std::string_view text, bool null) {
      to.push_back(null ? "(null)" : std::string(text));
    };
    Decoder decoder(whole);
    decoder.get<std::uint8_t>();
    Decoder ahead = decoder;
    const auto first = [&] {
      for (std::size_t i = 0; i < count; ++i) {
        bool null = false;
        const std::string_view text = decoder.get_string(null);
        add(one_by_one, text, null);
      }
    };
    const auto second = [&] {
      ahead.get_strings(count, [&](std::string_view text, bool null, std::size_t readable) {
        EXPECT_GE(readable, text.size());
        const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
        if (begin >= whole.body.data() && begin < whole.body.data() + size) {
          EXPECT_EQ(begin + readable, whole.body.data() + size);
        }
        add(at_once, text, null);
      });
    };
    if (size == encoder.body_size()) {
      first();
      second();
      EXPECT_TRUE(decoder.at_end() && ahead.at_end());
    } else {
      EXPECT_THROW(first(), Error) << size;
      EXPECT_THROW(second(), Error) << size;
    }
    EXPECT_EQ(one_by_one, at_once) << size;
  }
}

TEST(Codec, HostileCountsThrow) {
  const std::int32_t huge = 0x7fffffff;
  ArrayShape shapes[4] = {shape_of(Kind::double_, 0, huge), shape_of(Kind::double_, -huge, huge),
                          shape_of(Kind::double_, 3, 1), shape_of(Kind::string_, 0, huge)};
  shapes[1].dimension = 7;
  for (int i = 1; i < 7; ++i) {
    shapes[1].lower[i] = -huge;
    shapes[1].upper[i] = huge;
  }
  ValueLimits none;
  none.elements = ~std::uint64_t{0};
  for (const ArrayShape& shape : shapes) {
    Encoder encoder(none);
    if (shape.upper[0] >= shape.lower[0]) {
      encoder.put_array_inline(shape, 16);
    } else {
      EXPECT_THROW(encoder.put_array_inline(shape, 16), Error);
      continue;
    }
    Message message = sent(encoder);
    Decoder decoder(message);
    EXPECT_THROW(decoder.get_array(shape.kind), Error);
  }
}

TEST(Codec, WrongKindBoolAndSegmentThrow) {
  Encoder encoder;
  const std::int32_t values[] = {1};
  encoder.put_array(shape_of(Kind::int_, 0, 0), Bulk::lent(values, sizeof values));
  Message wrong = sent(encoder);
  Decoder decoder(wrong);
  EXPECT_THROW(decoder.get_array(Kind::float_), Error);

  Encoder two;
  two.put<std::uint8_t>(2);
  Message message = sent(two);
  EXPECT_THROW(Decoder(message).get_bool(), Error);

  Encoder stray;
  stray.put(string_in_segment);
  stray.put<std::uint32_t>(0);
  Message none = sent(stray);
  bool null = false;
  EXPECT_THROW(Decoder(none).get_string(null), Error);
}
