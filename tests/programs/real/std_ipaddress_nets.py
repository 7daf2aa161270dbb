"""ipaddress --int=big: addresses and networks."""

import ipaddress


def main():
    net = ipaddress.ip_network("192.168.0.0/29")
    print(net, net.num_addresses, [str(host) for host in net.hosts()])
    print(ipaddress.ip_address("192.168.0.3") in net, int(ipaddress.ip_address("10.0.0.1")))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
