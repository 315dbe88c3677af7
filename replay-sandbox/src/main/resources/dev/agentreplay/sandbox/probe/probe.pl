# Attempts that Java cannot make: perl probe.pl NAME in|out
# NAME is that of an abstract Unix socket. "out" listens at it, makes the same attempts as the
# control, prints "ready", and waits for the end of its input.
use strict;
use warnings;
use Errno ();
use POSIX ();

$| = 1;
my ($name, $side) = @ARGV;
my ($AF_UNIX, $AF_INET, $AF_NETLINK, $AF_VSOCK) = (1, 2, 16, 40);
my ($STREAM, $DGRAM, $RAW) = (1, 2, 3);
my $machine = (POSIX::uname())[4];
my %calls = (
    x86_64  => { getpid => 39, prctl => 157, clone => 56, unshare => 272, clone3 => 435 },
    aarch64 => { getpid => 172, prctl => 167, clone => 220, unshare => 97, clone3 => 435 },
);

sub line { print join("\t", @_), "\n"; }

sub family {
    my ($aspect, $family, $type, $protocol) = @_;
    if (socket(my $s, $family, $type, $protocol)) {
        line("reached", $aspect, "socket opened");
    } else {
        line("blocked", $aspect, "socket: $!");
    }
}

my $listener;
if ($side eq "out") {
    socket($listener, $AF_UNIX, $STREAM, 0) or die "socket: $!";
    bind($listener, pack("S a*", $AF_UNIX, "\0$name")) or die "bind: $!";
    listen($listener, 5) or die "listen: $!";
}

socket(my $inet, $AF_INET, $STREAM, 0)
    ? line("works", "socket", "") : line("seen", "socket", "$!");
if (!socket(my $s, $AF_UNIX, $STREAM, 0)) {
    line("blocked", "abstract_socket", "socket: $!");
} elsif (connect($s, pack("S a*", $AF_UNIX, "\0$name"))) {
    line("reached", "abstract_socket", "connected");
} else {
    line("blocked", "abstract_socket", "connect: $!");
}
family("netlink", $AF_NETLINK, $RAW, 0);
family("vsock", $AF_VSOCK, $STREAM, 0);

# no terminal can be opened: a filter still answers before the kernel finds that a file is none
sub without_terminal {
    my $size = pack("S4", 0, 0, 0, 0);
    my $char = "x";
    my $is_asked = !ioctl(STDOUT, 0x5413, $size) && $!{ENOTTY};
    if ($is_asked && !ioctl(STDOUT, 0x5412, $char) && $!{EPERM}) {
        line("works", "terminal", "");
        return ("blocked", "TIOCSTI: $!");
    }
    return ("blocked", @_);
}

# a terminal of its own as the controlling one, and a character that is put into it
sub terminal {
    my $master;
    sysopen($master, "/dev/ptmx", POSIX::O_RDWR() | POSIX::O_NOCTTY())
        or return without_terminal("ptmx: $!");
    my $number = pack("i", 0);
    my $lock = pack("i", 0);
    ioctl($master, 0x40045431, $lock) or return ("blocked", "unlock: $!");
    ioctl($master, 0x80045430, $number) or return ("blocked", "number: $!");
    my $path = "/dev/pts/" . unpack("i", $number);
    pipe(my $in, my $out) or return ("blocked", "pipe: $!");
    my $child = fork();
    defined $child or return ("blocked", "fork: $!");
    if (!$child) {
        my $found = "blocked\topen: ";
        POSIX::setsid();
        if (sysopen(my $slave, $path, POSIX::O_RDWR())) {
            my $size = pack("S4", 0, 0, 0, 0);
            syswrite($out, "works\n") if ioctl($slave, 0x5413, $size);
            my $char = "x";
            $found = ioctl($slave, 0x5412, $char) ? "reached\tTIOCSTI" : "blocked\tTIOCSTI: $!";
        } else {
            $found .= $!;
        }
        syswrite($out, "$found\n");
        POSIX::_exit(0);
    }
    close($out);
    local $SIG{HUP} = "IGNORE";
    my ($kind, $detail) = ("blocked", "no answer");
    while (my $text = <$in>) {
        chomp($text);
        if ($text eq "works") { line("works", "terminal", ""); next; }
        ($kind, $detail) = split(/\t/, $text, 2);
    }
    waitpid($child, 0);
    return ($kind, $detail);
}
my ($kind, $detail) = terminal();
line($kind, "terminal", $detail);
if (open(my $setting, "<", "/proc/sys/dev/tty/legacy_tiocsti")) {
    my $value = <$setting>;
    line("seen", "legacy_tiocsti", $value + 0);
}

my $call = $calls{$machine};
if (!$call) {
    line("seen", "nested_namespaces", "no numbers of system calls for $machine");
} else {
    line("works", "system_call", "") if syscall($call->{getpid}) == $$;
    my $get_seccomp = 21;
    line("seen", "seccomp", syscall($call->{prctl}, $get_seccomp, 0, 0, 0, 0));
    my $new_user = 0x10000000;
    my %attempts = (
        unshare => sub { syscall($call->{unshare}, $new_user) },
        clone   => sub { syscall($call->{clone}, $new_user | 17, 0, 0, 0, 0) },
        clone3  => sub {
            my $arguments = pack("Q8", $new_user, 0, 0, 0, 17, 0, 0, 0);
            syscall($call->{clone3}, $arguments, 64);
        },
    );
    for my $attempt (sort keys %attempts) {
        pipe(my $in, my $out) or next;
        my $child = fork();
        if (!$child) {
            my $result = $attempts{$attempt}->();
            my $error = "$!";
            POSIX::_exit(0) if $attempt ne "unshare" && $result == 0;
            syswrite($out, $result >= 0 ? "reached" : "blocked: $error");
            POSIX::_exit(0);
        }
        close($out);
        my $text = do { local $/; <$in> };
        $text = "" if !defined $text;
        waitpid($child, 0);
        line($text eq "reached" ? "reached" : "blocked", "nested_namespaces", "$attempt $text");
    }
}
line("seen", "end", "");
if ($side eq "out") {
    line("seen", "ready", "");
    1 while <STDIN>;
}
