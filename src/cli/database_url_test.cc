#include "cli/database_url.h"

#include <gtest/gtest.h>

namespace clever::cli {
namespace {

DatabaseAddress address_of(std::string_view url) {
  auto address = database_address(url, "/home/me/.cleveragents");
  EXPECT_TRUE(address.ok()) << url;
  return std::move(address).value();
}

void expect_host(std::string_view url, std::string_view host, int port) {
  const auto address = address_of(url);
  const auto* place = std::get_if<PostgresHost>(&address);
  ASSERT_NE(place, nullptr) << url;
  EXPECT_EQ(place->host, host);
  EXPECT_EQ(place->port, port);
}

void expect_socket(std::string_view url, std::string_view path) {
  const auto address = address_of(url);
  const auto* place = std::get_if<PostgresSocket>(&address);
  ASSERT_NE(place, nullptr) << url;
  EXPECT_EQ(place->path, path);
}

void expect_file(std::string_view url, std::string_view path) {
  const auto address = address_of(url);
  const auto* file = std::get_if<SqliteFile>(&address);
  ASSERT_NE(file, nullptr) << url;
  EXPECT_EQ(file->path, path);
}

TEST(DatabaseUrlTest, SqliteForms) {
  expect_file("", "/home/me/.cleveragents/cleveragents.db");
  expect_file("sqlite:/var/x.db", "/var/x.db");
  expect_file("sqlite::memory:", "");
  expect_file("sqlite::memory:other", "");
}

TEST(DatabaseUrlTest, HostsAndPorts) {
  expect_host("postgresql://db.example/agents", "db.example", 5432);
  expect_host("postgres://me:p%40ss@db:6000/agents?sslmode=require", "db", 6000);
  expect_host("postgresql://me:a@b@db/agents", "db", 5432);
  expect_host("postgresql://[::1]:5433/agents", "::1", 5433);
  expect_host("postgresql://[::1]", "::1", 5432);
  expect_host("postgresql://first:1,second:2/agents", "first", 1);
  expect_host("postgresql:///agents?port=7000&host=db", "db", 7000);
}

TEST(DatabaseUrlTest, Sockets) {
  expect_socket("postgresql:///agents", "/var/run/postgresql/.s.PGSQL.5432");
  expect_socket("postgresql://%2Ftmp%2fpg:5433/agents", "/tmp/pg/.s.PGSQL.5433");
  expect_socket("postgresql:///agents?host=/tmp/pg", "/tmp/pg/.s.PGSQL.5432");
}

TEST(DatabaseUrlTest, BrokenEscapesStandForThemselves) {
  expect_host("postgresql://a%zz/agents", "a%zz", 5432);
  expect_host("postgresql://a%2/agents", "a%2", 5432);
}

TEST(DatabaseUrlTest, RefusesWhatItCannotReadWithoutRepeatingIt) {
  for (const std::string_view url : {"mysql://me:hunter2@db", "postgresql://me:hunter2@db:port/x",
                                     "postgresql://me:hunter2@db:70000", "postgresql://db:0/x"}) {
    const auto address = database_address(url, "/");
    ASSERT_FALSE(address.ok()) << url;
    EXPECT_EQ(address.error().code(), base::ErrorCode::kInvalidArgument);
    EXPECT_EQ(address.error().sentence().find("hunter2"), std::string::npos);
  }
}

}  // namespace
}  // namespace clever::cli
