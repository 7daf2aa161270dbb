"""Users, roles and permissions with Flag enums, properties and descriptors."""
from enum import Enum, Flag, auto
import hashlib
import re


class Permission(Flag):
    NONE = 0
    READ = auto()
    WRITE = auto()
    DELETE = auto()
    ADMIN = READ | WRITE | DELETE


class Role(Enum):
    GUEST = Permission.READ
    EDITOR = Permission.READ | Permission.WRITE
    ADMIN = Permission.ADMIN

    def allows(self, permission):
        return permission in self.value


class Validated:
    def __init__(self, *, pattern=None, minimum=None):
        self.pattern = re.compile(pattern) if pattern else None
        self.minimum = minimum

    def __set_name__(self, owner, name):
        self.name = name
        self.private = "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.private)

    def __set__(self, instance, value):
        if self.pattern and not self.pattern.fullmatch(value):
            raise ValueError(f"invalid {self.name}: {value!r}")
        if self.minimum is not None and value < self.minimum:
            raise ValueError(f"{self.name} must be at least {self.minimum}")
        setattr(instance, self.private, value)


class AccessDenied(PermissionError):
    pass


class User:
    email = Validated(pattern=r"[\w.]+@[\w.]+\.\w+")
    age = Validated(minimum=13)

    def __init__(self, name, email, age, role=Role.GUEST):
        self.name = name
        self.email = email
        self.age = age
        self.role = role
        self._password = None

    @property
    def password(self):
        raise AttributeError("password is write-only")

    @password.setter
    def password(self, text):
        if len(text) < 8:
            raise ValueError("password too short")
        self._password = hashlib.sha256(text.encode()).hexdigest()

    def check(self, text):
        return self._password == hashlib.sha256(text.encode()).hexdigest()

    def __repr__(self):
        return f"User(name={self.name!r}, role={self.role.name})"


class Document:
    def __init__(self, title, owner):
        self.title = title
        self.owner = owner
        self.body = ""
        self.grants = {}

    def permissions_of(self, user):
        if user is self.owner:
            return Permission.ADMIN
        return user.role.value | self.grants.get(user.name, Permission.NONE)

    def require(self, user, permission):
        if permission not in self.permissions_of(user):
            raise AccessDenied(f"{user.name} may not {permission.name.lower()} {self.title!r}")

    def write(self, user, text):
        self.require(user, Permission.WRITE)
        self.body += text + "\n"

    def read(self, user):
        self.require(user, Permission.READ)
        return self.body.splitlines()


def main():
    ann = User("ann", "ann@example.org", 34, Role.EDITOR)
    bob = User("bob", "bob.b@mail.net", 17)
    doc = Document("plan", bob)
    doc.write(bob, "first line")
    doc.write(ann, "second line")
    eve = User("eve", "eve@evil.com", 20)
    for action in (lambda: doc.write(eve, "spam"), lambda: User("x", "nonsense", 20), lambda: User("kid", "k@k.kk", 9)):
        try:
            action()
        except AccessDenied as e:
            print("denied:", e)
        except ValueError as e:
            print("invalid:", e)
    doc.grants["eve"] = Permission.WRITE
    doc.write(eve, "thanks")
    print(doc.read(eve))
    print(doc.permissions_of(eve) == Role.EDITOR.value, bool(Permission.NONE))
    print(Role.EDITOR.allows(Permission.WRITE), Role.GUEST.allows(Permission.DELETE))
    ann.password = "correct horse"
    print(ann.check("correct horse"), ann.check("wrong"))
    try:
        bob.password = "short"
    except ValueError as e:
        print(e)
    try:
        print(ann.password)
    except AttributeError as e:
        print(e)
    print([p.name for p in Permission if p in ann.role.value])
    print(ann, bob, [r.name for r in Role])


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
