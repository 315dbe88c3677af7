package com.example.shop;

import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An assistant for customers of a shop, on the command line. */
@SpringBootApplication
public class ShopApplication {

  public static void main(String[] args) {
    System.exit(SpringApplication.exit(SpringApplication.run(ShopApplication.class, args)));
  }

  /** Answers the question on the command line, if there is one. */
  @Bean
  CommandLineRunner answer(Assistant assistant) {
    return args -> {
      String question = question(args);
      if (!question.isEmpty()) {
        System.out.println(assistant.ask(question));
      }
    };
  }

  private static String question(String[] args) {
    StringBuilder question = new StringBuilder();
    for (String arg : args) {
      if (!arg.startsWith("--")) {
        question.append(question.isEmpty() ? "" : " ").append(arg);
      }
    }
    return question.toString();
  }
}
