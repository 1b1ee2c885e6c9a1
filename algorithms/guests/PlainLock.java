// The lock of the Redis documentation in plain Java, without a library and without a driver:
// javac -d . algorithms/guests/PlainLock.java, then ./holdfast check --guest 'java -Xint -XX:+UseSerialGC -XX:-UsePerfData
// -XX:+UnlockDiagnosticVMOptions -XX:GuaranteedSafepointInterval=0 -XX:AsyncDeflationInterval=0 PlainLock', all in one
// line. The options take away what the virtual machine does by timers of its own: each would make many histories.
import java.io.*;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

public class PlainLock {
  static final String TTL = System.getenv().getOrDefault("HOLDFAST_TTL_MS", "4000");
  static final String RELEASE =
      "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
  static Socket server;
  static InputStream in;

  // The reply's line; null: the connection is gone.
  static String ask(String... words) {
    try {
      if (server == null) {
        server = new Socket("127.0.0.1", 6379);
        in = server.getInputStream();
      }
      StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
      for (String word : words) text.append("$" + word.length() + "\r\n" + word + "\r\n");
      server.getOutputStream().write(text.toString().getBytes(StandardCharsets.US_ASCII));
      StringBuilder line = new StringBuilder();
      for (int each; (each = in.read()) != '\n'; line.append((char) each))
        if (each < 0) throw new IOException("the connection is gone");
      return line.toString().trim();
    } catch (IOException why) {
      server = null;
      return null;
    }
  }

  public static void main(String[] arguments) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    SecureRandom random = SecureRandom.getInstance("NativePRNGNonBlocking");
    String token = "";
    for (String line; (line = lines.readLine()) != null; System.out.flush()) {
      String[] words = line.split(" ");
      if (words[0].equals("acquire")) {
        token = Long.toHexString(random.nextLong());
        String reply = ask("SET", words[1], token, "NX", "PX", TTL);
        System.out.println(
            reply == null ? "failed" : reply.equals("+OK") ? "granted " + token + " " + TTL : "refused");
      } else {
        String reply = ask("EVAL", RELEASE, "1", words[1], token);
        System.out.println(reply == null ? "unknown" : reply.equals(":1") ? "released" : "not-held");
      }
    }
  }
}
