"""pyperformance==1.11.0/comprehensions pyperf==2.8.1: comprehensions."""

from run_benchmark import WidgetTray, make_some_widgets


def main():
    tray = WidgetTray(1, make_some_widgets())
    print([widget.widget_id for widget in tray.sorted_widgets])


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
