#include "codegen/package_header.hpp"

#include <algorithm>

#include "codegen/banner.hpp"
#include "codegen/doc_comment.hpp"
#include "codegen/names.hpp"

namespace shinar::codegen {
namespace {

std::vector<std::string> includes_of(const PackagePlan& plan, const std::string& suffix) {
  std::vector<std::string> result;
  for (const ir::Type* type : plan.types) result.push_back(Namer::symbol(type->name()) + suffix);
  for (const std::string& inner : plan.inner) result.push_back(Namer::symbol(inner) + suffix);
  std::ranges::sort(result);
  return result;
}

void emit_package_header(Printer& printer, const PackagePlan& plan, const PackageHeaders& headers,
                         const std::string& file) {
  const auto doc = [&] {
    if (headers.has_docs) emit_doc(printer, plan.package->doc());
  };
  const auto lines = [&] {
    for (const std::string& name : includes_of(plan, headers.suffix)) {
      printer.line("#include \"" + name + "\"");
    }
  };
  // No include guard: it would have the same name in the package's other headers. Brackets, as with
  // quotes clang would find the header itself again, without end, where it was found beside what
  // includes it; that it then begins with the first folder it warns of, but not in system headers.
  printer.emit({{"doc", doc}, {"includes", lines}, {"header", file}},
               R"(
    $doc$
    $includes$

    /* Another library may have more types of the package. */
    #if defined(__has_include_next) && __INCLUDE_LEVEL__ > 0
    #pragma GCC system_header
    #if __has_include_next(<$header$>)
    #include_next <$header$>
    #endif
    #endif
  )");
}

}  // namespace

std::vector<GeneratedFile> make_package_headers(const TypeIndex& index,
                                                const PackageHeaders& headers) {
  std::vector<GeneratedFile> result;
  for (const PackagePlan& plan : plan_packages(index)) {
    const std::string file = Namer::symbol(plan.package->name()) + headers.suffix;
    Printer printer;
    emit_banner(printer, {file, plan.symbol_line, plan.source, headers.about});
    emit_package_header(printer, plan, headers, file);
    result.push_back({file, printer.take()});
  }
  return result;
}

}  // namespace shinar::codegen
