#include "codegen/type_files.hpp"

#include "codegen/impl_file.hpp"
#include "codegen/names.hpp"

namespace shinar::codegen {
namespace {

std::string with_banner(const Banner& banner, const TypeFiles::Emit& emit) {
  Printer printer;
  emit_banner(printer, banner);
  emit(printer);
  return printer.take();
}

}  // namespace

void TypeFiles::add(const ir::Type& type, const std::string& suffix, const std::string& about,
                    const Emit& emit) {
  const Banner banner = type_banner(index_, type, Namer::symbol(type.name()) + suffix, about);
  result_.files.push_back({banner.file, with_banner(banner, emit)});
}

void TypeFiles::add_impl(const ir::Type& type, const std::string& suffix, const std::string& about,
                         const Emit& emit) {
  Banner banner = type_banner(index_, type, Namer::symbol(type.name()) + suffix, about);
  banner.editing = Editing::splicers;
  add_impl_file(result_, request_, banner.file, with_banner(banner, emit), style_);
}

void TypeFiles::add_packages(const std::string& suffix, const std::string& about,
                             const EmitPackage& emit) {
  for (const PackagePlan& plan : plan_packages(index_)) {
    if (plan.types.empty() || Namer::parts(plan.package->name()).front() == "sidl") continue;
    const Banner banner{Namer::symbol(plan.package->name()) + suffix, plan.symbol_line, plan.source,
                        about};
    result_.files.push_back(
        {banner.file, with_banner(banner, [&](Printer& printer) { emit(printer, plan); })});
  }
}

void TypeFiles::add_package_headers(const PackageHeaders& headers) {
  for (GeneratedFile& file : make_package_headers(index_, headers)) {
    result_.files.push_back(std::move(file));
  }
}

}  // namespace shinar::codegen
