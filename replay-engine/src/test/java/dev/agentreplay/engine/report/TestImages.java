package dev.agentreplay.engine.report;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import javax.imageio.ImageIO;

/** Small images in Base64. */
final class TestImages {

  private TestImages() {}

  static String png(int width, int height) throws IOException {
    return of("png", width, height);
  }

  /** An image in a format of the JDK: png, jpg, gif. */
  static String of(String format, int width, int height) throws IOException {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int x = 0; x < width; x++) {
      image.setRGB(x, x % height, 0x3366ff);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, format, out);
    return Base64.getEncoder().encodeToString(out.toByteArray());
  }
}
