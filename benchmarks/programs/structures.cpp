// structures.py in C++, as one writes it there: std::unordered_map, unique_ptr, string_view.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

static long intdict(long n)
{
    std::unordered_map<long, long> counts;
    for (long i = 0; i < n; i++)
        counts[i * 7919 % (n / 10 + 1)]++;
    long total = 0;
    for (long k = 0; k < n / 10 + 1; k++) {
        auto found = counts.find(k * 2);
        if (found != counts.end())
            total += found->second;
    }
    return total;
}

struct Packet {
    long kind, value;
};

struct Scheduler;

struct Task {
    long name, priority, runs = 0;
    std::vector<Packet *> queue;

    Task(long name, long priority) : name(name), priority(priority) {}
    virtual ~Task() {}
    virtual void step(Scheduler *scheduler) = 0;

    Packet *next()
    {
        Packet *packet = queue.back();
        queue.pop_back();
        runs++;
        return packet;
    }
};

struct Scheduler {
    std::vector<Task *> tasks;
    long sent = 0;

    void send(long to, Packet *packet)
    {
        sent += 1 + packet->kind;
        tasks[to % tasks.size()]->queue.push_back(packet);
    }

    void run(long steps)
    {
        for (long done = 0; done < steps;)
            for (Task *task : tasks)
                if (!task->queue.empty()) {
                    task->step(this);
                    done++;
                }
    }
};

struct Worker : Task {
    using Task::Task;

    void step(Scheduler *scheduler) override
    {
        Packet *packet = next();
        scheduler->send(name + 1, new Packet{packet->kind, (packet->value + priority) % 1000003});
        delete packet;
    }
};

struct Device : Task {
    using Task::Task;

    void step(Scheduler *scheduler) override
    {
        Packet *packet = next();
        if (packet->value % 3 == 0) {
            scheduler->send(0, new Packet{1, packet->value / 3});
            delete packet;
        } else {
            scheduler->send(name + 1, packet);
        }
    }
};

static long schedule(long n)
{
    Scheduler scheduler;
    for (long i = 0; i < 6; i++)
        scheduler.tasks.push_back(i % 2 ? (Task *)new Worker(i, i) : new Device(i, i));
    scheduler.send(0, new Packet{0, 6});
    scheduler.send(3, new Packet{0, 100});
    scheduler.run(n);
    return scheduler.sent;  // the process ends
}

struct Value {
    virtual ~Value() {}
    virtual long weight() = 0;
    virtual void write(std::string &out) = 0;
};

struct Number : Value {
    long number;

    Number(long number) : number(number) {}
    long weight() override { return number; }
    void write(std::string &out) override { out += std::to_string(number); }
};

struct Text : Value {
    std::string text;

    Text(std::string text) : text(std::move(text)) {}
    long weight() override { return text.size(); }
    void write(std::string &out) override { out += '"', out += text, out += '"'; }
};

struct Array : Value {
    std::vector<std::unique_ptr<Value>> items;

    long weight() override
    {
        long total = 0;
        for (auto &item : items)
            total += item->weight();
        return total;
    }

    void write(std::string &out) override
    {
        char separator = '[';
        for (auto &item : items) {
            out += separator;
            item->write(out);
            separator = ',';
        }
        out += ']';
    }
};

struct Object : Value {
    std::vector<std::pair<std::string, std::unique_ptr<Value>>> members;  // in their order
    std::unordered_map<std::string, size_t> places;

    void set(std::string name, std::unique_ptr<Value> value)
    {
        auto [at, added] = places.try_emplace(name, members.size());
        if (added)
            members.emplace_back(std::move(name), std::move(value));
        else
            members[at->second].second = std::move(value);
    }

    long weight() override
    {
        long total = 0;
        for (auto &[name, value] : members)
            total += name.size() + value->weight();
        return total;
    }

    void write(std::string &out) override
    {
        const char *separator = "{\"";
        for (auto &[name, value] : members) {
            out += separator;
            out += name;
            out += "\":";
            value->write(out);
            separator = ",\"";
        }
        out += '}';
    }
};

struct Parser {
    std::string_view text;
    size_t at = 0;

    void skip()
    {
        while (text[at] == ' ')
            at++;
    }

    std::string name()
    {
        size_t start = at + 1, end = start;
        while (text[end] != '"')
            end++;
        at = end + 1;
        return std::string(text.substr(start, end - start));
    }

    std::unique_ptr<Value> value()
    {
        skip();
        switch (text[at]) {
        case '{': return members();
        case '[': return items();
        case '"': return std::make_unique<Text>(name());
        }
        long number = 0;
        for (; '0' <= text[at] && text[at] <= '9'; at++)
            number = number * 10 + text[at] - '0';
        return std::make_unique<Number>(number);
    }

    std::unique_ptr<Value> items()
    {
        auto array = std::make_unique<Array>();
        while (text[at] != ']') {
            at++;
            array->items.push_back(value());
            skip();
        }
        at++;
        return array;
    }

    std::unique_ptr<Value> members()
    {
        auto object = std::make_unique<Object>();
        while (text[at] != '}') {
            at++;
            skip();
            std::string key = name();
            skip();
            at++;
            object->set(std::move(key), value());
            skip();
        }
        at++;
        return object;
    }
};

static const char DOCUMENT[] =
    "{\"id\": 7, \"name\": \"a name of some length\", \"tags\": [\"red\", \"green\", \"blue\"], "
    "\"points\": [{\"x\": 1, \"y\": 22}, {\"x\": 333, \"y\": 4444}, {\"x\": 55555, \"y\": 666666}], "
    "\"nested\": {\"a\": {\"b\": {\"c\": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}}}, \"last\": 0}";

static long json(long n)
{
    long total = 0;
    for (long i = 0; i < n; i++) {
        auto value = Parser{DOCUMENT}.value();
        std::string out;
        value->write(out);
        total += value->weight() + out.size();
    }
    return total;
}

static long words(long n)
{
    std::string text;
    for (long i = 0; i < n; i++)
        text += "the quick brown fox jumps over the lazy dog and the cat ";
    std::istringstream stream(text);
    std::unordered_map<std::string, long> counts;
    for (std::string word; stream >> word;)
        counts[word]++;
    long total = 0;
    for (auto &[word, count] : counts)
        total += count * word.size();
    return total;
}

static long run(const char *name, long n)
{
    if (!strcmp(name, "intdict"))
        return intdict(n);
    if (!strcmp(name, "schedule"))
        return schedule(n);
    if (!strcmp(name, "json"))
        return json(n);
    if (!strcmp(name, "words"))
        return words(n);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    printf("%ld\n", run(argv[1], atol(argv[2])));
}
