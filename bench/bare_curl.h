#pragma once
// libcurl as one would use it without us.

#include <curl/curl.h>
#include <dlfcn.h>

#include <cstdlib>
#include <string>

namespace clever::bench {

/// Loaded at run time, as our own client does it.
struct Curl {
  template <class F>
  void find(F& function, const char* name) {
    function = reinterpret_cast<F>(::dlsym(library, name));
    if (function == nullptr) std::abort();
  }
  Curl() {
    if (library == nullptr) std::abort();
    find(global_init, "curl_global_init");
    find(easy_init, "curl_easy_init");
    find(easy_cleanup, "curl_easy_cleanup");
    find(easy_setopt, "curl_easy_setopt");
    find(easy_perform, "curl_easy_perform");
    find(multi_init, "curl_multi_init");
    find(multi_cleanup, "curl_multi_cleanup");
    find(multi_add_handle, "curl_multi_add_handle");
    find(multi_remove_handle, "curl_multi_remove_handle");
    find(multi_perform, "curl_multi_perform");
    find(multi_poll, "curl_multi_poll");
    find(slist_append, "curl_slist_append");
    find(slist_free_all, "curl_slist_free_all");
    global_init(CURL_GLOBAL_DEFAULT);
  }
  void* library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  decltype(&::curl_global_init) global_init = nullptr;
  decltype(&::curl_easy_init) easy_init = nullptr;
  decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&::curl_easy_setopt) easy_setopt = nullptr;
  decltype(&::curl_easy_perform) easy_perform = nullptr;
  decltype(&::curl_multi_init) multi_init = nullptr;
  decltype(&::curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&::curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&::curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&::curl_multi_perform) multi_perform = nullptr;
  decltype(&::curl_multi_poll) multi_poll = nullptr;
  decltype(&::curl_slist_append) slist_append = nullptr;
  decltype(&::curl_slist_free_all) slist_free_all = nullptr;
};

/// A POST of a JSON body that can be made again and again with one handle.
class BareRequest {
 public:
  BareRequest(const Curl& curl, const std::string& url, std::string body)
      : curl_(curl), handle_(curl.easy_init()), body_(std::move(body)) {
    headers_ = curl_.slist_append(nullptr, "Content-Type: application/json");
    curl_.easy_setopt(handle_, CURLOPT_HTTPHEADER, headers_);
    curl_.easy_setopt(handle_, CURLOPT_URL, url.c_str());
    curl_.easy_setopt(handle_, CURLOPT_NOSIGNAL, 1L);
    curl_.easy_setopt(handle_, CURLOPT_POSTFIELDS, body_.data());
    curl_.easy_setopt(handle_, CURLOPT_POSTFIELDSIZE, static_cast<long>(body_.size()));
    curl_.easy_setopt(handle_, CURLOPT_WRITEFUNCTION, &append);
    curl_.easy_setopt(handle_, CURLOPT_WRITEDATA, static_cast<void*>(&text_));
  }
  ~BareRequest() {
    curl_.easy_cleanup(handle_);
    curl_.slist_free_all(headers_);
  }
  BareRequest(const BareRequest&) = delete;
  BareRequest& operator=(const BareRequest&) = delete;

  const std::string& perform() {
    text_.clear();
    if (curl_.easy_perform(handle_) != CURLE_OK) std::abort();
    return text_;
  }
  [[nodiscard]] CURL* handle() const { return handle_; }
  [[nodiscard]] std::size_t received() const { return text_.size(); }

 private:
  static std::size_t append(char* bytes, std::size_t size, std::size_t count, void* text) {
    static_cast<std::string*>(text)->append(bytes, size * count);
    return size * count;
  }

  const Curl& curl_;
  CURL* handle_;
  curl_slist* headers_ = nullptr;
  const std::string body_;
  std::string text_;
};

}  // namespace clever::bench
