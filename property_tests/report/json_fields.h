// The fields of a value in JSON, described once for both directions:
//
//   template <class F>
//   void Describe(F& fields, typename F::template Of<Thing>& thing) {
//     fields.Required("name", thing.name);
//     fields.Optional("why", thing.why);
//   }
//
// A FieldWriter calls it to write the thing, a FieldReader to read it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace conformance {

using Json = nlohmann::ordered_json;

class FieldWriter {
 public:
  template <class T>
  using Of = const T;

  // Adds to the object that `json` is, or becomes.
  explicit FieldWriter(Json& json) : json_(json) {
    if (!json_.is_object()) json_ = Json::object();
  }

  template <class T>
  void Required(const char* key, const T& value) {
    json_[key] = Value(value);
  }
  // Left out where it is empty.
  template <class T>
  void Optional(const char* key, const T& value) {
    if (!value.empty()) Required(key, value);
  }
  // Always written, but older reports lack it: then the value stays as it is.
  template <class T>
  void Newer(const char* key, const T& value) {
    Required(key, value);
  }
  // Fields that stand together under a key; `describe` is called with their writer or reader.
  template <class Describes>
  void Group(const char* key, const Describes& describe) {
    FieldWriter inner(json_[key]);
    describe(inner);
  }
  // The same, if they are there. `present` is kept by that alone.
  template <class Describes>
  void GroupIf(const char* key, const bool& present, const Describes& describe) {
    if (present) Group(key, describe);
  }
  // What follows from other fields, for other readers.
  template <class Value>
  void Derived(const char* key, const Value& value) {
    json_[key] = value();
  }

 private:
  template <class T>
  static Json Value(const T& value) {
    if constexpr (requires(FieldWriter & fields) { Describe(fields, value); }) {
      Json json;
      FieldWriter inner(json);
      Describe(inner, value);
      return json;
    } else {
      return value;
    }
  }
  template <class T>
  static Json Value(const std::vector<T>& values) {
    Json json = Json::array();
    for (const T& value : values) json.push_back(Value(value));
    return json;
  }

  Json& json_;
};

class FieldReader {
 public:
  template <class T>
  using Of = T;

  explicit FieldReader(const Json& json) : json_(json) {}

  template <class T>
  void Required(const char* key, T& value) {
    Read(json_.at(key), value);
  }
  template <class T>
  void Optional(const char* key, T& value) {
    value.clear();
    if (json_.contains(key)) Read(json_[key], value);
  }
  template <class T>
  void Newer(const char* key, T& value) {
    if (json_.contains(key)) Read(json_[key], value);
  }
  template <class Describes>
  void Group(const char* key, const Describes& describe) {
    FieldReader inner(json_.at(key));
    describe(inner);
  }
  template <class Describes>
  void GroupIf(const char* key, bool& present, const Describes& describe) {
    present = json_.contains(key);
    if (present) Group(key, describe);
  }
  template <class Value>
  void Derived(const char*, const Value&) {}

 private:
  template <class T>
  static void Read(const Json& json, T& value) {
    if constexpr (requires(FieldReader & fields) { Describe(fields, value); }) {
      FieldReader fields(json);
      Describe(fields, value);
    } else {
      value = json.get<T>();
    }
  }
  template <class T>
  static void Read(const Json& json, std::vector<T>& values) {
    values.clear();
    for (const Json& one : json) Read(one, values.emplace_back());
  }

  const Json& json_;
};

}  // namespace conformance
