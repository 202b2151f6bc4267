import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.mustangproject.validator.ValidationResultItem;
import org.mustangproject.validator.ZUGFeRDValidator;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

/**
 * Judges PDFs, many in one process. Each line of the input names a judge (a flavour of veraPDF such as "3b" or
 * "ua1", or "mustang"), a tab and a file. The answer is one line: "ok", or the faults, separated by tabs.
 */
public final class Judge {
  private static final int MAX_FAULTS = 20;

  public static void main(String[] args) throws IOException {
    Locale.setDefault(Locale.ENGLISH);
    // The validators log to System.out.
    PrintStream answers = System.out;
    System.setOut(System.err);
    VeraGreenfieldFoundryProvider.initialise();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] parts = line.split("\t", 2);
      List<String> faults = judge(parts[0], Files.readAllBytes(Path.of(parts[1])));
      answers.write((faults.isEmpty() ? "ok" : String.join("\t", faults)).getBytes(StandardCharsets.UTF_8));
      answers.write('\n');
      answers.flush();
    }
  }

  private static List<String> judge(String name, byte[] pdf) {
    List<String> faults = new ArrayList<>();
    try {
      if (name.equals("mustang")) judgeInvoice(pdf, faults);
      else judgeFlavour(PDFAFlavour.fromString(name), pdf, faults);
    } catch (Exception error) {
      addFault(faults, error.toString());
    }
    return faults;
  }

  private static void judgeFlavour(PDFAFlavour flavour, byte[] pdf, List<String> faults) throws Exception {
    if (flavour == PDFAFlavour.NO_FLAVOUR) throw new IllegalArgumentException("no such flavour");
    try (var parser = Foundries.defaultInstance().createParser(new ByteArrayInputStream(pdf), flavour);
        var validator = Foundries.defaultInstance().createValidator(flavour, false)) {
      var result = validator.validate(parser);
      for (TestAssertion assertion : result.getTestAssertions()) {
        if (assertion.getStatus() != TestAssertion.Status.FAILED) continue;
        var rule = assertion.getRuleId();
        addFault(
            faults,
            rule.getClause() + "-" + rule.getTestNumber() + " " + assertion.getMessage() + " at "
                + assertion.getLocation().getContext());
      }
      if (!result.isCompliant() && faults.isEmpty()) faults.add("not compliant");
    }
  }

  /** Judges the XML by the rules of its profile, its place in the PDF and the XMP metadata. */
  private static void judgeInvoice(byte[] pdf, List<String> faults) {
    ZUGFeRDValidator validator = new ZUGFeRDValidator();
    validator.disableNotices();
    validator.validate(pdf, "invoice.pdf");
    for (ValidationResultItem item : validator.getContext().getResults())
      addFault(faults, item.getSeverity() + " " + item.getSection() + " " + item.getMessage());
    if (!validator.wasCompletelyValid() && faults.isEmpty()) faults.add("not valid");
  }

  private static void addFault(List<String> faults, String fault) {
    if (faults.size() < MAX_FAULTS) faults.add(fault.replaceAll("\\s+", " "));
  }
}
