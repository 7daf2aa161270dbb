// examples/richards.py in C++.
#include <cstdio>
#include <cstdlib>

enum { IDLE = 1, WORKER, HANDLER_A, HANDLER_B, DEVICE_A, DEVICE_B };
enum { DEVICE_PACKET, WORK_PACKET };
const int IDLE_COUNT = 10000, QUEUED = 23246, HELD = 9297, DATA_SIZE = 4;

struct Packet {
    Packet *link;
    int ident, kind, datum = 0, data[DATA_SIZE] = {0};

    Packet(Packet *link, int ident, int kind) : link(link), ident(ident), kind(kind) {}

    Packet *append_to(Packet *queue)
    {
        link = nullptr;
        if (!queue)
            return this;
        Packet *last = queue;
        while (last->link)
            last = last->link;
        last->link = this;
        return queue;
    }
};

struct Task;

struct Scheduler {
    Task *tasks = nullptr, *table[10] = {nullptr};
    int hold_count = 0, queue_count = 0;

    void schedule();
};

struct Task {
    Scheduler *scheduler;
    int ident, priority;
    Packet *queue;
    bool packet_pending, waiting, held = false;
    Task *next;

    Task(Scheduler *scheduler, int ident, int priority, Packet *work, bool waiting)
        : scheduler(scheduler), ident(ident), priority(priority), queue(work),
          packet_pending(work != nullptr), waiting(waiting), next(scheduler->tasks)
    {
        scheduler->tasks = scheduler->table[ident] = this;
    }

    virtual ~Task() {}
    virtual Task *step(Packet *packet) = 0;

    bool suspended() { return held || (waiting && !packet_pending); }

    Task *add_packet(Packet *packet, Task *current)
    {
        if (!queue) {
            queue = packet;
            packet_pending = true;
            if (priority > current->priority)
                return this;
        } else {
            packet->append_to(queue);
        }
        return current;
    }

    Task *run()
    {
        Packet *packet = nullptr;
        if (waiting && packet_pending) {
            packet = queue;
            queue = packet->link;
            waiting = false;
            packet_pending = queue != nullptr;
        }
        return step(packet);
    }

    Task *wait()
    {
        waiting = true;
        return this;
    }

    Task *hold()
    {
        scheduler->hold_count++;
        held = true;
        return next;
    }

    Task *release(int ident)
    {
        Task *task = scheduler->table[ident];
        task->held = false;
        return task->priority > priority ? task : this;
    }

    Task *send(Packet *packet)
    {
        Task *task = scheduler->table[packet->ident];
        scheduler->queue_count++;
        packet->link = nullptr;
        packet->ident = ident;
        return task->add_packet(packet, this);
    }
};

struct IdleTask : Task {
    int control = 1, count = IDLE_COUNT;

    IdleTask(Scheduler *scheduler) : Task(scheduler, IDLE, 0, nullptr, false) {}

    Task *step(Packet *) override
    {
        if (--count == 0)
            return hold();
        if ((control & 1) == 0) {
            control /= 2;
            return release(DEVICE_A);
        }
        control = control / 2 ^ 0xD008;
        return release(DEVICE_B);
    }
};

struct WorkerTask : Task {
    int destination = HANDLER_A, count = 0;

    WorkerTask(Scheduler *scheduler, Packet *work) : Task(scheduler, WORKER, 1000, work, true) {}

    Task *step(Packet *packet) override
    {
        if (!packet)
            return wait();
        destination = destination == HANDLER_A ? HANDLER_B : HANDLER_A;
        packet->ident = destination;
        packet->datum = 0;
        for (int &letter : packet->data) {
            count = count % 26 + 1;
            letter = 'A' + count - 1;
        }
        return send(packet);
    }
};

struct HandlerTask : Task {
    Packet *work = nullptr, *devices = nullptr;

    HandlerTask(Scheduler *scheduler, int ident, int priority, Packet *work)
        : Task(scheduler, ident, priority, work, true) {}

    Task *step(Packet *packet) override
    {
        if (packet) {
            if (packet->kind == WORK_PACKET)
                work = packet->append_to(work);
            else
                devices = packet->append_to(devices);
        }
        if (work) {
            Packet *first = work;
            int done = first->datum;
            if (done >= DATA_SIZE) {
                work = first->link;
                return send(first);
            }
            if (devices) {
                Packet *device = devices;
                devices = device->link;
                device->datum = first->data[done];
                first->datum = done + 1;
                return send(device);
            }
        }
        return wait();
    }
};

struct DeviceTask : Task {
    Packet *pending = nullptr;

    DeviceTask(Scheduler *scheduler, int ident, int priority)
        : Task(scheduler, ident, priority, nullptr, true) {}

    Task *step(Packet *packet) override
    {
        if (packet) {
            pending = packet;
            return hold();
        }
        if (!pending)
            return wait();
        packet = pending;
        pending = nullptr;
        return send(packet);
    }
};

void Scheduler::schedule()
{
    Task *task = tasks;
    while (task)
        task = task->suspended() ? task->next : task->run();
}

static Packet *packets(int ident, int kind, int count)
{
    Packet *queue = nullptr;
    for (int i = 0; i < count; i++)
        queue = new Packet(queue, ident, kind);
    return queue;
}

int main(int, char **argv)
{
    long rounds = atol(argv[1]);
    for (long i = 0; i < rounds; i++) {
        Scheduler scheduler;  // what lives when the round ends is not freed
        new IdleTask(&scheduler);
        new WorkerTask(&scheduler, packets(0, WORK_PACKET, 2));
        new HandlerTask(&scheduler, HANDLER_A, 2000, packets(DEVICE_A, DEVICE_PACKET, 3));
        new HandlerTask(&scheduler, HANDLER_B, 3000, packets(DEVICE_B, DEVICE_PACKET, 3));
        new DeviceTask(&scheduler, DEVICE_A, 4000);
        new DeviceTask(&scheduler, DEVICE_B, 5000);
        scheduler.schedule();
        if (scheduler.queue_count != QUEUED || scheduler.hold_count != HELD)
            return 1;
    }
    printf("%ld rounds: %d packets queued, %d tasks held in each\n", rounds, QUEUED, HELD);
}
